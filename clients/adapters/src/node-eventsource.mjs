// An adapter of Proctor for the `EventSource` of Node, which is undici's (Docs/clients/adapters.md).
//
// What it is told, so that it neither gets help nor is hindered: a dispatcher whose `connect` leads names to their
// addresses or sockets (node-undici.mjs), and nothing else.

import { serveEventSource } from "./eventsource.mjs";
import { dispatcher } from "./node-undici.mjs";

function ways({ session }) {
  const agent = dispatcher(session);
  return { options: { dispatcher: agent, node: { dispatcher: agent } }, end: () => agent.destroy() };
}

await serveEventSource({
  client: "node-eventsource", revision: "1", version: `${process.versions.node} (undici ${process.versions.undici})`,
  abilities: ["trust", "identity", "unix-sockets"], ways,
});
