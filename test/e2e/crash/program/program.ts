/**
 * A host in a process of its own, to be killed. Its argument is an `Order` as JSON; what it does and sees it says on
 * standard output, line by line (`line.ts`).
 */
import { flushCompileCache } from "node:module";
import type { Order } from "../order.ts";
import { recover } from "./recover.ts";
import { run } from "./run.ts";

const order = JSON.parse(process.argv[2] ?? "null") as Order;
flushCompileCache(); // whoever is killed cannot do it at the end
// The host's own timers keep no process alive.
setInterval(() => {}, 2 ** 30);
await (order.part === "run" ? run(order) : recover(order));
