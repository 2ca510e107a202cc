/** `npm start`: the command from its sources; before a server, the page it serves, when that is older than its sources. */
const [first = "serve"] = process.argv.slice(2);
const asksForHelp = process.argv.some((arg) => arg === "--help" || arg === "-h");
if (first === "serve" && !asksForHelp) {
  const { buildPage } = await import("./build-page.ts");
  // Without its page it is a server all the same.
  await buildPage((line) => console.error(line));
}
await import("../packages/cli/src/main.ts");

export {};
