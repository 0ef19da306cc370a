// An adapter of Proctor for the `WebSocket` of Node, which is undici's (Docs/clients/adapters.md).
//
// What it is told, so that it neither gets help nor is hindered: a dispatcher whose `connect` leads names to their
// addresses or sockets (node-undici.mjs), the protocols, and the caller's fields, which undici's WebSocket takes.
//
// An error names no cause but its message, where it has one. It has no ping, and closes with 1000 and 3000 to 4999 alone.

import { serve } from "../../kits/node/proctor.mjs";
import { converse, refuseSteps } from "../../kits/node/websocket.mjs";
import { dispatcher } from "./node-undici.mjs";

const ABILITIES = "websocket redirects challenge-default trust identity unix-sockets several-loads".split(" ");
const WITHOUT = "redirect challenge informational wsPong";
const family = "WS";

async function load(step, task, trace, agent) {
  trace.event("resume", task, { family, facts: { without: WITHOUT } });
  const open = (url) => new WebSocket(url, {
    protocols: step.protocols ?? [], dispatcher: agent, ...(step.headers.length && { headers: step.headers }) });
  const facts = await converse(step, open, (name, lane, arg, told) => trace.event(name, task, { lane, family, arg, facts: told }));
  if (facts.error) facts.domain = "node-websocket";
  trace.event("result", task, { family, facts });
}

async function run(assignment, trace) {
  const agent = dispatcher(assignment.session);
  let begun = [];
  for (const [task, step] of assignment.steps.entries()) {
    if (!step.together) {
      await Promise.all(begun);
      begun = [];
    }
    begun.push(load(step, task, trace, agent));
  }
  await Promise.all(begun);
  await agent.destroy();
}

// What nobody catches ends the process of an application: it is a crash, and told as one.
process.on("uncaughtException", (error) => {
  console.error(error.stack);
  process.abort();
});

await serve({
  client: "node-websocket", revision: "1", version: `${process.versions.node} (undici ${process.versions.undici})`,
  abilities: ABILITIES, lanes: ["task", "handler", "harness"], moments: [],
  facts: ["messages", "protocol", "closeCode", "closeReason", "error", "message"], refuse: refuseSteps, run,
});
