import net from "node:net";
import tls from "node:tls";
import { readFileSync } from "node:fs";

// Names that no name server knows lead to their places.
await fetch("data:,");
const Agent = globalThis[Symbol.for("undici.globalDispatcher.1")].constructor;
const dispatcher = new Agent({
  connect({ hostname, protocol, port, servername }, done) {
    const number = Number(port) || (protocol === "https:" ? 443 : 80);
    const place = PLACES[`${hostname.replace(/\.$/, "")}:${number}`] ?? [hostname, number];
    const way = { host: place[0], port: place[1], noDelay: true };
    const name = net.isIP(hostname) ? {} : { servername: servername || hostname };
    const secrets = TRUST ? { ca: readFileSync(TRUST) } : {};
    const socket = protocol === "https:"
      ? tls.connect({ ...way, ...name, ...secrets, ALPNProtocols: ["http/1.1"] }) : net.connect(way);
    socket.once("error", done);
    socket.once(protocol === "https:" ? "secureConnect" : "connect", () => {
      socket.off("error", done);
      done(null, socket);
    });
  },
});

async function load(method, url, { headers = [], data, query, follow = true, timeout, isStreamed } = {}) {
  let told = "", count = 0;
  const place = query ? new URL(url) : url;
  for (const [name, value] of query ?? []) place.searchParams.append(name, value);
  const body = Array.isArray(data) ? new URLSearchParams(data) : isStreamed ? new Blob([data]).stream() : data;
  try {
    const response = await fetch(place, {
      method, headers, body, ...(isStreamed && { duplex: "half" }), redirect: follow ? "follow" : "manual", dispatcher,
      ...(timeout && { signal: AbortSignal.timeout(timeout * 1000) }),
    });
    told = `${response.status} ${response.url}, `;
    for await (const piece of response.body ?? []) count += piece.length;
    console.log(`${told}${count} bytes`);
  } catch (error) {
    console.log(`${told}error${told ? ` after ${count} bytes` : ""}: ${error.message}: ${error.cause?.message ?? ""}`);
  }
}

