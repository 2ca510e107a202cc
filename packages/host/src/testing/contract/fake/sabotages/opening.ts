/** A driver that breaks each rule about opening, once. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MooringError } from "../../../../protocol/errors.ts";
import type { openingRequirements } from "../../requirements/opening.ts";
import type { Sabotage } from "../sabotage.ts";
import { calling, instead, telling } from "./ways.ts";

const refusal = new MooringError("out-of-order", "The driver is out of order on purpose.");
type Unwired = Exclude<keyof typeof openingRequirements, `child/${string}`>;
const listener = (): void => {};

export const openingSabotages: Readonly<Record<Unwired, Sabotage>> = {
  "capabilities/tested": {
    what: "claims turns of its own that its adapter cannot play",
    adapter: { cannot: { lostToken: "", readFile: "", autonomous: "nobody wrote it" } },
  },
  "capabilities/offered": { what: "claims a compaction and has no compact", withoutCompact: true },
  "capabilities/confirmed": {
    what: "opens connections that cannot do what it claims",
    link: calling(({ inner }) => ({ capabilities: { ...inner.capabilities, images: false } })),
  },
  "session/validate-pure": {
    what: "writes into the workspace when it is asked whether it could",
    driver: () => ({ validateSession: ({ workspace }) => writeFile(join(workspace, "was-here"), "") }),
  },
  "session/validate-refuses": {
    what: "finds every session valid",
    driver: () => ({ validateSession: async () => {} }),
  },
  "session/tools": {
    what: "lists its tool under another category",
    driver: () => ({ listAvailableTools: async () => [{ name: "leave", description: "", category: "read" }] }),
  },
  "connect/opens": {
    what: "opens connections that take no prompt",
    link: calling(() => ({ send: () => Promise.reject(refusal) })),
  },
  "connect/prompt": {
    what: "keeps what the host adds to the prompt to itself",
    input: () => (input) => ({ ...input, prompt: { base: null, append: "" } }),
  },
  "connect/workspace-text": {
    kind: "fake-native",
    what: "claims to read AGENTS.md and looks elsewhere",
    input: () => (input) => ({ ...input, workspace: join(input.workspace, "elsewhere") }),
  },
  "connect/modes": {
    what: "lists a mode it does not open in",
    driver: (driver) => ({
      connect: (input) => (input.permissionMode === "plan" ? Promise.reject(refusal) : driver.connect(input)),
    }),
  },
  "connect/history": {
    what: "does not read the stored branch",
    input: () => (input) => ({ ...input, history: async () => [] }),
  },
  "connect/token": {
    kind: "fake-native",
    what: "tells a path as its token",
    link: telling(instead("resume-token", (event) => [{ ...event, token: `/var/${event.token}` }])),
  },
  "connect/resumes": {
    kind: "fake-native",
    what: "begins a fresh conversation instead of going on",
    input: () => (input) => ({ ...input, resumeToken: null }),
  },
  "connect/no-replay": {
    kind: "fake-native",
    what: "tells the old conversation again after a resume",
    link: ({ input, emit }) => {
      if (input.resumeToken !== null) {
        emit({ type: "autonomous-turn-state", turnId: "trn_old", state: "started", origin: "replay" });
        emit({ type: "turn-complete", turnId: "trn_old", outcome: "completed", answered: [] });
      }
      return {};
    },
  },
  "connect/resume-refused": {
    kind: "fake-native",
    what: "opens a fresh conversation for a token that leads nowhere",
    driver: (driver) => ({
      connect: (input) => driver.connect(input).catch(() => driver.connect({ ...input, resumeToken: null })),
    }),
  },
  "connect/two-sessions": {
    what: "sends every session's prompts to the one it opened first",
    hangs: true,
    driver: (driver) => {
      let first: Awaited<ReturnType<typeof driver.connect>> | null = null;
      return {
        connect: async (input) => {
          const connection = await driver.connect(input);
          first ??= connection;
          const { send } = first;
          return { ...connection, send }; // the fake's connections are plain objects
        },
      };
    },
  },
  "environment/given": {
    what: "gives its tools an environment of its own",
    input: () => (input) => ({ ...input, env: {} }),
  },
  "environment/host-hidden": {
    what: "adds the host's environment",
    input: () => (input) => ({ ...input, env: { ...(process.env as Record<string, string>), ...input.env } }),
  },
  "environment/children": {
    what: "starts a child for no session, with the host's environment",
    link: ({ ports, input, inner }) => ({
      calls: {
        send: async (turn) => {
          const env = process.env as Record<string, string>;
          await ports.processes.spawn({ command: "true", args: [], cwd: input.workspace, env, purpose: "stray" });
          await inner.send(turn);
        },
      },
    }),
  },
  "environment/home": {
    what: "writes into the home of the host's user",
    link: calling(({ inner }) => ({
      send: async (turn) => {
        await writeFile(join(process.env["HOME"] ?? "", "fake-was-here"), "");
        await inner.send(turn);
      },
    })),
  },
  "environment/process": {
    what: "listens to a signal of the host's process",
    link: ({ inner }) => {
      process.on("SIGUSR2", listener);
      return {
        calls: {
          close: (reason) => {
            process.off("SIGUSR2", listener);
            return inner.close(reason);
          },
        },
      };
    },
  },
  "doctor/ready": {
    what: "always finds a problem",
    driver: ({ doctor }) => ({
      doctor: async (input) => ({ ...(await doctor(input)), problem: "Bad.", fix: "None." }),
    }),
  },
  "doctor/problem": {
    what: "never finds one",
    driver: ({ doctor }) => ({ doctor: async (input) => ({ ...(await doctor(input)), problem: null, fix: null }) }),
  },
  "doctor/pure": {
    what: "leaves a file in the workspace when it is asked whether all is well",
    driver: ({ doctor }) => ({
      doctor: async (input) => {
        const workspace = join(input.home, "..", "workspace");
        await mkdir(workspace, { recursive: true });
        await writeFile(join(workspace, "doctor-was-here"), "");
        return doctor(input);
      },
    }),
  },
};
