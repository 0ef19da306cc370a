// What the adapters of the `WebSocket` of Node, Deno and Bun do alike (Docs/clients/adapters.md).
//
// Each is told the protocols and the caller's fields, which the three take beyond what a WebSocket of browsers does. An error
// names no cause but its message, where it has one. It has no ping, and closes with 1000 and 3000 to 4999 alone.

import { inOrder, serve } from "../../kits/node/proctor.mjs";
import { converse, refuseSteps } from "../../kits/node/websocket.mjs";

const ABILITIES = "websocket challenge-default trust identity several-loads".split(" ");
const WITHOUT = "redirect challenge informational wsPong";
const family = "WS";

async function load(step, task, trace, client, options) {
  trace.event("resume", task, { family, facts: { without: WITHOUT } });
  const open = (url) => new WebSocket(url, {
    protocols: step.protocols ?? [], ...options, ...(step.headers.length && { headers: step.headers }) });
  const facts = await converse(step, open, (name, lane, arg, told) => trace.event(name, task, { lane, family, arg, facts: told }));
  if (facts.error) facts.domain = client;
  trace.event("result", task, { family, facts });
}

/**
 * The whole program. `ways(assignment)` gives what the WebSocket is told of the way: `of(step)` its options, and `end()`, which
 * closes what is left.
 */
export async function serveWebSocket({ client, revision, version, abilities, ways }) {
  const run = async (assignment, trace) => {
    const way = ways(assignment);
    await inOrder(assignment.steps, (step, task) => load(step, task, trace, client, way.of(step)));
    await way.end?.();
  };

  // What is not caught ends the process of an application: it is a crash, and told as one.
  process.on("uncaughtException", (error) => {
    console.error(error.stack);
    process.abort();
  });

  await serve({
    client, revision, version, abilities: [...ABILITIES, ...abilities], lanes: ["task", "handler", "harness"], moments: [],
    facts: ["messages", "protocol", "closeCode", "closeReason", "error", "message"], refuse: refuseSteps, run,
  });
}
