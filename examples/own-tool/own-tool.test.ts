import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { invoiceIn } from "./own-tool.ts";

let place = "";
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "mooring-own-tool-"));
});
afterEach(() => rm(place, { recursive: true, force: true }));
const read = (text: string) => invoiceIn(text, { dataDir: join(place, "data"), cwd: place });

test("the program gets the invoice as data", async () => {
  const invoice = { customer: "Harbour Ltd", cents: 12_500 };
  expect(await read(`#tool file_invoice ${JSON.stringify(invoice)}`)).toEqual(invoice);
});

test("what is no invoice is told to the model, which tries again", async () => {
  const wrong = '#tool file_invoice {"customer":"Harbour Ltd","cents":-1}';
  expect(await read(`${wrong}\n#tool file_invoice {"customer":"Harbour Ltd","cents":1}`)).toMatchObject({ cents: 1 });
  expect(await read("#say there is none")).toBeNull();
});
