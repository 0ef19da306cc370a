// The dispatcher with which the fetch and the EventSource of Node reach the addresses of an assignment.

import net from "node:net";
import tls from "node:tls";
import { readFileSync } from "node:fs";
import { place } from "../../kits/node/proctor.mjs";

// Has Node load undici, and so make its dispatcher.
await fetch("data:,");
const Agent = globalThis[Symbol.for("undici.globalDispatcher.1")].constructor;

/** The addresses of the assignment, in place of the resolver. */
function connector(session, idle) {
  const secrets = session.trust ? { ca: readFileSync(session.trust) } : {};
  const { certificate, key } = session.identity ?? {};
  if (certificate) Object.assign(secrets, { cert: readFileSync(certificate), key: readFileSync(key) });
  return ({ hostname, protocol, port, servername }, done) => {
    const isSecure = protocol === "https:";
    const number = Number(port) || (isSecure ? 443 : 80);
    const found = place(session, hostname, number) ?? (net.isIP(hostname) ? { host: hostname, port: number } : null);
    if (!found) return void done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: "ENOTFOUND" }));
    const host = net.isIP(hostname) ? {} : { servername: servername || hostname };
    const socket = isSecure
      ? tls.connect({ ...found, ...host, ...secrets, ALPNProtocols: ["http/1.1"] })
      : net.connect({ ...found, noDelay: true });
    let isDone = false;
    // It stays, as that of undici's own connector does: nobody else hears of errors behind an upgrade.
    socket.on("error", (error) => {
      if (!isDone) done(error);
      isDone = true;
    });
    socket.setTimeout(idle ?? 10_000, () => {
      socket.destroy(Object.assign(new Error("connect timed out"), { code: "ETIMEDOUT" }));
    });
    socket.once(isSecure ? "secureConnect" : "connect", () => {
      socket.setTimeout(0);
      socket.removeAllListeners("timeout");
      isDone = true;
      done(null, socket);
    });
  };
}

/** The connections of a session; the longest limit of a step is that of their beginning, too. */
export function dispatcher(session, steps = []) {
  const idle = session.requestTimeout;
  const longest = Math.max(0, ...steps.map(({ timeout }) => timeout ?? 0));
  return new Agent({
    connect: connector(session, longest || idle), ...(idle && { headersTimeout: idle, bodyTimeout: idle }),
    ...(session.connectionsPerHost && { connections: session.connectionsPerHost }),
  });
}
