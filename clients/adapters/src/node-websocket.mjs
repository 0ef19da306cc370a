// An adapter of Proctor for the `WebSocket` of Node, which is undici's (Docs/clients/adapters.md).
//
// What it is told beside what websocket.mjs says: a dispatcher whose `connect` leads names to their addresses or sockets
// (node-undici.mjs).

import { dispatcher } from "./node-undici.mjs";
import { serveWebSocket } from "./websocket.mjs";

function ways({ session }) {
  const agent = dispatcher(session);
  return { of: () => ({ dispatcher: agent }), end: () => agent.destroy() };
}

await serveWebSocket({
  client: "node-websocket", revision: "1", version: `${process.versions.node} (undici ${process.versions.undici})`,
  abilities: ["redirects", "unix-sockets"], ways,
});
