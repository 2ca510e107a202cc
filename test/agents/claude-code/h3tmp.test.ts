import { oneDesk, realTest as test } from "./real-test.ts";
const place = oneDesk();
const show = (desk: any) => { for (const r of desk.server.requests) console.log("REQ", r.at ?? "", JSON.stringify(r.prompt).slice(-700)); };
test("x", async () => {
  const { desk } = place;
  const link = await desk.connect({ decide: async ({ input }) => (JSON.stringify(input).includes("ask-me") ? "ask" : "allow") });
  const { turnId } = await link.send("#bash touch ask-me\n#say never said");
  await link.next("tool-approval-request");
  await link.connection.abortTurn(turnId);
  await link.end(turnId);
  await desk.atRest();
  console.log("before next", desk.modelRequests);
  await link.turn("#say clean again");
  console.log("after next", desk.modelRequests);
  show(desk);
});
