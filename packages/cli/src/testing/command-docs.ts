/** The text of `docs/command.md`: an introduction, and the help of every command as the parser has it. */
import { join } from "node:path";
import { commandReference, type ReferencePage } from "./command-reference.ts";

export const commandDocsFile = join(import.meta.dirname, "..", "..", "..", "..", "docs", "command.md");

const introduction = `# The command

<!-- Written by \`npm run docs --workspace @mooring/cli\` from the parser; a test says when it is out of date. -->

\`mooring\` runs agents, shows what they did, and answers what they ask. In this repository \`npm start -- ARGS\` is
\`mooring ARGS\`, and \`npm start\` alone is \`mooring serve\`.

\`\`\`sh
mooring run "Show me how a session works"          # needs no key and no network
mooring serve                                      # the server, in another terminal: everything below then shares it
mooring run --session ses_… "Now the tests"        # goes on; also after a crash
mooring approvals ls                               # what waits for a person, in any session
mooring doctor                                     # what works, and the command that mends what does not
\`\`\`

**With a server and without.** A server writes where it is into the data directory, and every command talks to it. Without
one a command opens the host itself, for as long as it runs, and nobody else may meanwhile. What differs: a turn that a
command started in a server goes on when the command is gone, and \`pause\`, \`resume\` and \`serve --root\` are about a server.
The server is described in [server.md](server.md).

**Sessions, inputs, approvals, agents.** A session is named by its whole id, or by an id of your own. An agent is named by
its name. \`ls\` of each lists them; every listing takes \`--json\` and prints one JSON array then. \`run\`, \`approvals allow\`,
\`approvals deny\`, \`queue release\` and \`sessions resume\` show the session's events until its run is over; with \`--json\`
each event is one line: its fields, its \`cursor\`, and \`at\`, when it was stored (ms since 1970).

**At a terminal** a line you type while the agent works steers it; a question is answered with \`a\` (allow once),
\`a session\`, \`a agent\` or \`a host\` (the same call from now on), \`d\` or \`d REASON\`. Ctrl-C stops the turn, a second
Ctrl-C leaves. Without a terminal nobody can be asked: such questions are denied, and the agent is told why.

**Exit status.** 0 done · 1 the turn failed or was interrupted, an answer is missing, or something went wrong · 2 wrong
usage · 129, 143 ended by SIGHUP, SIGTERM · 130 stopped by Ctrl-C · 141 nobody read the output any more.

| variable | meaning |
| --- | --- |
| \`MOORING_HOME\` | data directory (default: \`mooring\` in the XDG data directory, \`~/.local/share/mooring\`) |
| \`MOORING_TOKEN\` | token of the server, in place of the generated one |
| \`NO_COLOR\` | no colours, whatever the terminal |
| a provider's key | a first start makes an agent for each: \`ANTHROPIC_API_KEY\`, \`OPENAI_API_KEY\`, \`GOOGLE_GENERATIVE_AI_API_KEY\` |
`;

/** The same parser gives the same text. */
export function commandDocs(): string {
  const [program, ...commands] = commandReference();
  const overview = program === undefined ? "" : `## Overview\n\n${block(program.help)}`;
  return [introduction, overview, ...commands.map(section)].join("\n");
}

function section({ path, help, isLeaf }: ReferencePage): string {
  const depth = path.includes(" ") ? "###" : "##";
  // A group's own help only lists what follows.
  return isLeaf ? `${depth} mooring ${path}\n\n${block(help)}` : `${depth} mooring ${path}\n`;
}
const block = (text: string): string => `\`\`\`text\n${text}\n\`\`\`\n`;
