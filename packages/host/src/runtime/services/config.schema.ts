/** The files of an agent directory from outside. Keys that are not known are left out. */
import { z } from "zod";

const text = z.string().min(1);
/** `auth.json`: by provider. Only keys; a login that has to be refreshed is for another program. */
export const authFile = z.record(z.string(), z.looseObject({ type: z.string(), key: z.string().optional() }));
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
/** `settings.json`. */
export const settingsFile = z.object({
  defaultProvider: text.optional(),
  defaultModel: text.optional(),
  defaultThinkingLevel: text.optional(),
  permissionMode: z.enum(["plan", "default", "acceptEdits", "bypassPermissions"]).optional(),
});
export type Settings = z.infer<typeof settingsFile>;
export type ModelsFile = z.infer<typeof modelsFile>;
