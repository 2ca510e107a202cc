/** The files of an agent directory from outside. Keys that are not known are left out. */
import { z } from "zod";

const text = z.string().min(1);
/** `auth.json`: keys and logins, by provider. */
export const authFile = z.record(z.string(), z.looseObject({ type: z.string(), key: z.string().optional() }));
export const login = z.looseObject({ access: z.string(), refresh: z.string(), expires: z.number() });
/** `models.json`: providers with their models. */
export const modelsFile = z.object({
  providers: z.record(
    z.string(),
    z.object({
      baseUrl: text.optional(),
      api: text.optional(),
      kind: text.optional(),
      apiKey: text.optional(),
      needsKey: z.boolean().optional(),
      models: z.array(z.object({ id: text, name: z.string().optional() })).default([]),
    }),
  ),
});
const queueMode = z.enum(["all", "one-at-a-time"]);
/** `settings.json`. */
export const settingsFile = z.object({
  defaultProvider: text.optional(),
  defaultModel: text.optional(),
  defaultThinkingLevel: text.optional(),
  steeringMode: queueMode.optional(),
  followUpMode: queueMode.optional(),
  permissionMode: z.enum(["plan", "default", "acceptEdits", "bypassPermissions"]).optional(),
});
export type Settings = z.infer<typeof settingsFile>;
export type ModelsFile = z.infer<typeof modelsFile>;
