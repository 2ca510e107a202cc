/**
 * A program that gives its agent a tool of its own, and gets the answer as data: the model fills in what the tool asks
 * for, and its result ends the run.
 */
import { loopDriver } from "@mooring/driver-loop";
import { systemClock, systemIds } from "@mooring/host";
import { createMemoryStore } from "@mooring/host/memory";
import { createAgentSession, createRuntimeHost, defineTool, ModelRuntime, SessionManager } from "@mooring/host/runtime";
import { scriptedModel } from "@mooring/scripted-model";

type Invoice = { readonly customer: string; readonly cents: number };
const parameters = {
  type: "object",
  properties: { customer: { type: "string" }, cents: { type: "integer", minimum: 0 } },
  required: ["customer", "cents"],
};

/** What the model made of the text; null: it filed nothing. `dataDir`: for the agent's home; `cwd`: where it works. */
export async function invoiceIn(text: string, { dataDir, cwd }: { dataDir: string; cwd: string }) {
  const filed: Invoice[] = [];
  const fileInvoice = defineTool<Invoice>({
    name: "file_invoice",
    label: "File invoice",
    description: "Files the invoice that the text describes.",
    parameters,
    category: "read", // it touches nothing the agent's permission mode is about
    execute: async (_toolCallId, invoice) => {
      filed.push(invoice);
      return { content: [{ type: "text", text: "Filed." }], details: invoice, terminate: true };
    },
  });
  const store = createMemoryStore({ ids: systemIds, clock: systemClock });
  const drivers = [loopDriver({ models: { scripted: scriptedModel } })];
  const host = await createRuntimeHost({ store, drivers, dataDir });
  const providers = { scripted: { needsKey: false, models: [{ id: "scripted" }] } };
  const modelRuntime = await ModelRuntime.create({ authPath: null, modelsPath: null, providers });
  const sessionManager = SessionManager.create(cwd);
  const { session } = await createAgentSession({ host, modelRuntime, sessionManager, customTools: [fileInvoice] });
  await session.prompt(text);
  await session.dispose();
  await host.shutdown();
  return filed[0] ?? null;
}
