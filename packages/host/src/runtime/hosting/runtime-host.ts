/**
 * A host with the doors `AgentSession`s hang in. It owns what is expensive and shared: store, drivers, processes; the
 * sessions of a runtime are replaced above it. Invariant: a key given here lives in memory only.
 */
import { join, parse, resolve } from "node:path";
import { createHost, type HostOptions, MooringError, type SessionHost } from "../../index.ts";
import { HookRouter } from "./hook-router.ts";

export type RuntimeHostOptions = Omit<HostOptions, "hooks" | "roots"> & {
  /** Directories sessions may work in. Absent: any; the program names each session's own. */
  readonly roots?: readonly string[];
  /** Where sessions of `SessionManager.inMemory` live. Absent: they are refused. */
  readonly memoryStore?: HostOptions["store"];
};
export type RuntimeHostParts = {
  readonly host: SessionHost;
  readonly router: HookRouter;
  readonly memory?: () => Promise<SessionHost>;
  /** The environment object the host was made with: keys of the program are put into it. */
  readonly keys?: Record<string, string | undefined>;
};

export class RuntimeHost {
  readonly #parts: RuntimeHostParts;
  readonly router: HookRouter;
  #memory: Promise<SessionHost> | null = null;

  /** Over a host that was made with `router.hooks`. */
  constructor(parts: RuntimeHostParts) {
    this.#parts = parts;
    this.router = parts.router;
  }
  get stored(): SessionHost {
    return this.#parts.host;
  }
  /** Rejects with `no-memory-store`. */
  async memory(): Promise<SessionHost> {
    const { memory } = this.#parts;
    if (memory === undefined)
      throw new MooringError(
        "no-memory-store",
        "There is no store for sessions in memory: give `memoryStore` to createRuntimeHost.",
      );
    this.#memory ??= memory();
    return this.#memory;
  }
  /** The name of the variable a key is found under; null: this host takes none from the program. */
  giveKey(provider: string, key: string): string | null {
    const { keys } = this.#parts;
    if (keys === undefined) return null;
    const name = this.keyName(provider);
    keys[name] = key;
    return name;
  }
  /** Of the variable that `giveKey` puts a provider's key into. */
  keyName(provider: string): string {
    return `MOORING_RUNTIME_KEY_${Buffer.from(provider).toString("hex").toUpperCase()}`;
  }
  /** Ends what runs and closes the stores. */
  async shutdown(o?: { readonly graceMs?: number }): Promise<void> {
    await Promise.all([this.#parts.host.shutdown(o), this.#memory?.then((host) => host.shutdown(o))]);
  }
}

/** Rejects as `createHost` does. */
export async function createRuntimeHost(options: RuntimeHostOptions): Promise<RuntimeHost> {
  const { memoryStore, roots = [parse(resolve(options.dataDir)).root], ...given } = options;
  const router = new HookRouter();
  const keys: Record<string, string | undefined> = { ...options.env };
  const shared = { ...given, roots, hooks: router.hooks, env: keys };
  const host = await createHost(shared);
  const dataDir = join(options.dataDir, "memory");
  if (memoryStore === undefined) return new RuntimeHost({ host, router, keys });
  const memory = (): Promise<SessionHost> => createHost({ ...shared, store: memoryStore, dataDir });
  return new RuntimeHost({ host, router, keys, memory });
}
