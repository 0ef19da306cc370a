// What the fetch and the WebSocket of Bun are told of the way to the addresses of an assignment, and of TLS.

import { readFileSync } from "node:fs";
import { Unimplemented } from "../../kits/node/proctor.mjs";
import { authorities } from "./bun-authority.mjs";

// Loopback goes by no proxy that leads to names; these are read at each request.
process.env.NO_PROXY = process.env.no_proxy = "127.0.0.0/8,::1,localhost";
// Where there are no names: a port that nobody listens at, so that no name is looked up.
const NOBODY = "127.0.0.1:9";

/** The authorities in place of Bun's, and the identity. */
export function tlsOf({ trust, identity }) {
  if (!trust && !identity) return {};
  const { certificate, key } = identity ?? {};
  return { tls: {
    ...(trust && { ca: authorities(readFileSync(trust, "utf8")) }),
    ...(certificate && { cert: readFileSync(certificate, "utf8"), key: readFileSync(key, "utf8") }) } };
}

/** Whether the host of a URL is a name, and not an address of loopback. */
export const hasName = (url) => URL.canParse(url) && !/^(\[.*\]|[0-9.]+|localhost)$/.test(new URL(url).hostname);

/** The URL of the proxy of the assignment, or of the one that leads to names. */
export function proxyOf({ proxy, proxyProtocol = "http", namesProxy }) {
  if (!proxy) return `http://${namesProxy ?? NOBODY}`;
  if (["http", "https"].includes(proxyProtocol)) return `${proxyProtocol}://${proxy}`;
  throw new Unimplemented(`session.proxyProtocol: Bun speaks no ${proxyProtocol} to a proxy`);
}
