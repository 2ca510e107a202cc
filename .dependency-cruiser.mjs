/**
 * Who may import whom (DESIGN section 3): `protocol <- session <- host`, `protocol <- ports <- stores, drivers, host`,
 * and the command on top. Type imports count. `test/dependency-rules.test.ts` breaks each rule once.
 *
 * TypeScript 7 has no API that dependency-cruiser could use, so it reads the sources with its error-tolerant JavaScript
 * parser: name files by glob (of a folder it would scan nothing). It sees every import but `export type ... from`, which
 * stands in package entries only; the test holds it to that.
 */

/** Files that never ship, or only as the testing kit: they may reach across folders to set a scene. */
const support = "/(testing|contract|children)/|/test-[^/]+\\.ts$|-contract\\.ts$";
const tests = `\\.test(-d)?\\.ts$|${support}|^(test|bench|examples|scripts)/`;
const host = "^packages/host/src";

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const direction = [
  {
    name: "session-is-pure",
    comment: "The core decides from values alone: no Node module, no package, nothing but protocol types.",
    severity: "error",
    from: { path: `${host}/session/`, pathNot: tests },
    to: { pathNot: `${host}/(session|protocol)/` },
  },
  {
    name: "schemas-stay-at-the-edge",
    comment: "Schemas bring zod: whoever parses input imports them, the core and the plain protocol types do not.",
    severity: "error",
    from: { path: `${host}/(session|protocol)/`, pathNot: `${tests}|\\.schema\\.ts$` },
    to: { path: "\\.schema\\.ts$" },
  },
  {
    name: "protocol-stands-alone",
    severity: "error",
    from: { path: `${host}/protocol/`, pathNot: `${tests}|\\.schema\\.ts$` },
    to: { pathNot: `${host}/protocol/` },
  },
  {
    name: "schemas-import-zod-only",
    severity: "error",
    from: { path: `${host}/protocol/.*\\.schema\\.ts$` },
    to: { pathNot: `${host}/protocol/|(^|/)node_modules/zod/` },
  },
  {
    name: "ports-are-interfaces",
    comment: "A port may name Node's streams, and nothing else outside.",
    severity: "error",
    from: { path: `${host}/ports/`, pathNot: tests },
    to: { pathNot: `${host}/(ports|protocol)/|^(node:)?stream$` },
  },
  {
    name: "host-knows-no-store",
    comment: "A store, a driver or a surface is given to the host, never imported by it.",
    severity: "error",
    from: { path: `${host}/host/`, pathNot: tests },
    to: { path: "^packages/", pathNot: `${host}/(host|session|ports|protocol)/` },
  },
  {
    name: "runtime-is-thin",
    comment: "The session runtime is built on the host's public face; stores and drivers are given to it.",
    severity: "error",
    from: { path: `${host}/runtime/`, pathNot: tests },
    to: { path: "^packages/", pathNot: `${host}/(runtime|ports|protocol)/|${host}/index\\.ts$` },
  },
  {
    name: "stores-know-ports-only",
    severity: "error",
    from: { path: `${host}/stores/`, pathNot: tests },
    to: { path: "^packages/", pathNot: `${host}/(stores|ports|protocol)/` },
  },
  {
    name: "http-is-thin-over-the-host",
    comment: "A surface asks the session host and nothing behind it.",
    severity: "error",
    from: { path: `${host}/http/`, pathNot: tests },
    to: {
      path: "^packages/|(^|/)node_modules/",
      pathNot: [
        `${host}/(http|ports|protocol)/|(^|/)node_modules/(hono|hono-openapi|zod)/`,
        `${host}/host/(api|limits|redact|silent-log|system-clock|viewers/byte-stream)\\.ts$`,
      ],
    },
  },
  {
    name: "drivers-see-the-driver-port-only",
    severity: "error",
    from: { path: "^packages/driver-([^/]+)/src/", pathNot: tests },
    to: { path: "^packages/", pathNot: ["^packages/driver-$1/", `${host}/ports/index\\.ts$`] },
  },
  {
    name: "driver-tests-use-the-testing-kit",
    severity: "error",
    from: { path: "^packages/driver-[^/]+/src/.*\\.test\\.ts$" },
    to: { path: `${host}/`, pathNot: `${host}/(ports|testing)/index\\.ts$` },
  },
  {
    name: "scripted-model-stands-alone",
    severity: "error",
    from: { path: "^packages/scripted-model/src/" },
    to: { path: "^packages/", pathNot: "^packages/scripted-model/" },
  },
  {
    name: "page-talks-through-the-client",
    comment: "The page knows the API's client and the wire types: it runs in a browser.",
    severity: "error",
    from: { path: "^packages/web/src/", pathNot: tests },
    to: { path: "^packages/", pathNot: `^packages/(web|client)/|${host}/(protocol/)?index\\.ts$` },
  },
  {
    name: "one-composition-file",
    comment: "Only compose.ts of the command chooses stores and drivers; the rest talks to the host's public face.",
    severity: "error",
    from: { path: "^packages/cli/src/", pathNot: `${tests}|^packages/cli/src/compose\\.ts$` },
    to: { path: "^packages/", pathNot: `^packages/cli/|${host}/index\\.ts$` },
  },
];

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const hygiene = [
  {
    name: "one-door-to-processes",
    comment:
      "Every child is recorded, bounded and ended by the supervisor: ask the `processes` port. A command may start npm.",
    severity: "error",
    from: {
      path: "^packages/",
      pathNot: `${tests}|${host}/host/processes/(spawn-child|supervised-child|process-table)\\.ts$|^packages/cli/src/commands/agents-install\\.ts$`,
    },
    to: { path: "^(node:)?child_process$" },
  },
  {
    name: "testing-is-for-tests",
    severity: "error",
    from: { pathNot: tests },
    to: { path: `\\.test(-d)?\\.ts$|${support}|^(test|bench|scripts)/` },
  },
  {
    name: "no-tests-imported",
    severity: "error",
    from: {},
    to: { path: "\\.test(-d)?\\.ts$" },
  },
  {
    name: "other-packages-by-name",
    comment: "A relative path into another package goes around its exports.",
    severity: "error",
    from: { path: "^packages/([^/]+)/" },
    to: { path: "^packages/", pathNot: "^packages/$1/", dependencyTypes: ["local"] },
  },
  { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
  { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  {
    name: "declared",
    comment: "Found in node_modules by luck: name it in the importing package's package.json.",
    severity: "error",
    from: { path: "^packages/", pathNot: tests },
    to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
  },
  {
    name: "shipped-code-needs-no-dev-dependency",
    comment: "The page ships as built files, with what it needs inside.",
    severity: "error",
    from: { path: "^packages/", pathNot: `${tests}|^packages/web/` },
    to: { dependencyTypes: ["npm-dev"] },
  },
];

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [...direction, ...hygiene],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^test/agents/node_modules/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["mooring-source", "import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".json"],
    },
  },
};
