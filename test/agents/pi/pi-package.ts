/** What the tests use of the original's packages, as they are installed beside this folder; nothing of them is copied. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export type Json = Readonly<Record<string, unknown>>;
export type PiEntry = Json & { readonly id: string; readonly parentId: string | null; readonly type: string };
export type PiManager = {
  getHeader(): Json | null;
  getEntries(): PiEntry[];
  getBranch(): PiEntry[];
  getLeafId(): string | null;
  getLabel(id: string): string | undefined;
  getSessionName(): string | undefined;
  getSessionFile(): string | undefined;
  buildSessionContext(): Json & { readonly messages: readonly Json[] };
  branch(id: string): void;
  resetLeaf(): void;
  branchWithSummary(from: string | null, summary: string, details?: unknown, fromHook?: boolean): string;
  appendCompaction(summary: string, kept: string | null, tokens: number, details?: unknown, fromHook?: boolean): string;
  appendContextEdit(target: string, replacement: Json | null): string;
  appendCustomEntry(type: string, data?: unknown): string;
  appendCustomMessageEntry(type: string, content: unknown, display: boolean, details?: unknown): string;
  appendLabelChange(target: string, label: string | undefined): string;
  appendMessage(message: Json): string;
  appendUsage(kind: string, provider: string, model: string, usage: Json, note?: string): Json;
};
export type PiModel = { readonly id: string };
export type PiSession = {
  readonly sessionManager: PiManager;
  prompt(text: string, options?: Json): Promise<void>;
  followUp(text: string): Promise<unknown>;
  abort(): Promise<void>;
  compact(): Promise<unknown>;
  navigateTree(id: string, options?: Json): Promise<unknown>;
  setModel(model: PiModel): Promise<void>;
  setThinkingLevel(level: string): void;
  setSessionName(name: string): void;
  executeBash(command: string, onChunk?: undefined, options?: Json): Promise<unknown>;
  sendCustomMessage(message: Json): Promise<void>;
  dispose(): void;
};
export type FauxStep = Json | ((context: unknown, options: { readonly signal?: AbortSignal }) => Json | Promise<Json>);
export type FauxModel = {
  readonly provider: unknown;
  getModel(id: string): PiModel;
  setResponses(steps: readonly FauxStep[]): void;
};
export type Pi = {
  readonly SessionManager: {
    create(cwd: string, dir: string, options?: Json): PiManager;
    open(path: string): PiManager;
  };
  readonly ModelRuntime: {
    create(options: Json): Promise<{ registerNativeProvider(provider: unknown): void }>;
  };
  readonly SettingsManager: { inMemory(settings: Json): unknown };
  createAgentSession(options: Json): Promise<{ readonly session: PiSession }>;
};
export type Faux = {
  fauxProvider(options: Json): FauxModel;
  fauxAssistantMessage(content: unknown, options?: Json): Json;
  fauxThinking(text: string): Json;
  fauxToolCall(name: string, args: Json): Json;
  fauxText(text: string): Json;
};

export const piFolder = join(import.meta.dirname, "../node_modules/@earendil-works");
const load = (path: string): Promise<unknown> => import(pathToFileURL(join(piFolder, path)).href);

export async function loadPi(): Promise<Pi & Faux> {
  const [pi, faux] = await Promise.all([load("pi-coding-agent/dist/index.js"), load("pi-ai/dist/providers/faux.js")]);
  return { ...(pi as Pi), ...(faux as Faux) };
}
