// An adapter of Proctor for the `WebSocket` of Bun (Docs/clients/adapters.md).
//
// What it is told beside what websocket.mjs says: where the URL has a name, the proxy that leads to it; the authorities as
// `tls.ca`, in place of Bun's; certificate and key of an identity as `tls.cert` and `tls.key`.

import { hasName, proxyOf, tlsOf } from "./bun-client.mjs";
import { serveWebSocket } from "./websocket.mjs";

function ways({ session }) {
  return {
    of: ({ url }) => ({ ...tlsOf(session), ...((session.proxy || hasName(url)) && { proxy: proxyOf(session) }) }),
  };
}

await serveWebSocket({ client: "bun-websocket", revision: "1", version: Bun.version, abilities: [], ways });
