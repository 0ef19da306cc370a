// The HttpClient with which the fetch and the WebSocket of Deno reach the addresses of an assignment.
//
// A client goes by one proxy or Unix socket for all that is asked of it. NO_PROXY holds for that proxy too, and is read when
// the client is made: so loopback is left out of the proxy that leads to names, and nothing of a proxy of the assignment.

import { readFileSync } from "node:fs";
import { Unimplemented } from "../../kits/node/proctor.mjs";
import { socketOf } from "./fetch.mjs";

const LOOPBACK = "127.0.0.0/8,::1,localhost";
// Where there are no names: a port that nobody listens at, so that no name is looked up.
const NOBODY = "127.0.0.1:9";

function proxyOf(session) {
  const { proxy, proxyProtocol = "http", proxyUser, proxyPassword } = session;
  if (!proxy) return { transport: "http", url: `http://${session.namesProxy ?? NOBODY}` };
  const transport = { http: "http", https: "https", socks5: "socks5", socks5h: "socks5" }[proxyProtocol];
  if (!transport) throw new Unimplemented(`session.proxyProtocol: Deno speaks no ${proxyProtocol} to a proxy`);
  const basicAuth = proxyUser ? { basicAuth: { username: proxyUser, password: proxyPassword ?? "" } } : {};
  return { transport, url: `${transport}://${proxy}`, ...basicAuth };
}

/** A client of its own, with connections of its own, for steps at a socket or for all others; `speaks` says which HTTP. */
export function httpClient(session, step, speaks = {}) {
  const path = socketOf(step);
  const { certificate, key } = session.identity ?? {};
  // An empty list is none.
  process.env.NO_PROXY = session.proxy ? "" : LOOPBACK;
  return Deno.createHttpClient({
    proxy: path ? { transport: "unix", path } : proxyOf(session), allowHost: true, ...speaks,
    ...(session.trust && { caCerts: [readFileSync(session.trust, "utf8")] }),
    ...(certificate && { cert: readFileSync(certificate, "utf8"), key: readFileSync(key, "utf8") }),
  });
}
