// An adapter of Proctor for the `WebSocket` of Deno (Docs/clients/adapters.md).
//
// What it is told beside what websocket.mjs says: an HttpClient of the assignment (deno-client.mjs), whose proxy leads to names
// and not to loopback. Its authorities are added to those of Mozilla.

import { httpClient } from "./deno-client.mjs";
import { serveWebSocket } from "./websocket.mjs";

function ways({ session }) {
  const clients = [];
  return {
    of(step) {
      clients.push(httpClient(session, step));
      return { client: clients.at(-1) };
    },
    end: () => clients.forEach((client) => client.close()),
  };
}

await serveWebSocket({
  client: "deno-websocket", revision: "1", version: `${Deno.version.deno} (V8 ${Deno.version.v8})`,
  abilities: ["unix-sockets"], ways,
});
