// An adapter of Proctor for the `fetch` of Deno, which stands on hyper and rustls (Docs/clients/adapters.md).
//
// What it is told, so that it neither gets help nor is hindered, beside what fetch.mjs says:
//
// - An HttpClient of the assignment (deno-client.mjs), whose proxy leads to names and not to loopback, or is the proxy of
//   the assignment; one of its own for each Unix socket, to which all of a load then goes.
// - The authorities as `caCerts`, which Deno adds to those of Mozilla; certificate and key of an identity as PEM.
// - `allowHost`, without which Deno drops the Host of a caller.
// - HTTP/1.1 and HTTP/2 by ALPN as it comes. Where HTTP/2 is wanted, `http1: false`: then Deno speaks it with prior
//   knowledge too, to a proxy as well, so that a load without TLS is `unimplemented` where there are names.
//
// It has no limit of silence. It says SOCKS 5 with a name, which the proxy looks up.

import { Unimplemented } from "../../kits/node/proctor.mjs";
import { httpClient } from "./deno-client.mjs";
import { refuseElsewhere, serveFetch, socketOf } from "./fetch.mjs";

// In this order; each is looked for in the text of an error and of what caused it, since Deno's errors have no codes.
const NAMES = [
  [/^TypeError: (Invalid gzip header|CRC computed|amount of bytes read|(reached )?unexpected (EOF|end of file))/,
    "cannotDecodeContentData"],
  [/Maximum number of redirects/, "tooManyRedirects"],
  [/dns error/, "cannotFindHost"],
  [/invalid peer certificate: UnknownIssuer/, "serverCertificateHasUnknownRoot"],
  [/invalid peer certificate: (certificate expired|Expired)/, "serverCertificateHasBadDate"],
  [/invalid peer certificate: (certificate not valid yet|NotValidYet)/, "serverCertificateNotYetValid"],
  [/invalid peer certificate/, "serverCertificateUntrusted"],
  [/received fatal alert: CertificateRequired/, "clientCertificateRequired"],
  [/received fatal alert: (BadCertificate|UnsupportedCertificate|Certificate|UnknownCA)/, "clientCertificateRejected"],
  [/received (fatal alert|corrupt message|unexpected message)|peer (misbehaved|is incompatible)|cannot decrypt/,
    "secureConnectionFailed"],
  [/tls handshake eof/, "secureConnectionFailed"],
  [/Connection refused|unsuccessful tunnel/, "cannotConnect"],
  [/timed out/, "timedOut"],
  [/Connection reset|unexpected (end of file|eof)|connection closed before|close_notify|broken pipe/, "connectionLost"],
  [/(connection|stream) error received/, "connectionLost"],
  [/client error \(Connect\)/, "cannotConnect"],
  [/invalid (HTTP|content-length)|unexpected transfer-encoding|head is too large/, "badServerResponse"],
  [/(connection|stream) error detected/, "badServerResponse"],
  [/non HTTP\(s\) url|scheme .* not supported/i, "unsupportedURL"],
  [/Invalid URL|are blocked/, "badURL"],
];

function errorFacts(error, domain) {
  const causes = [];
  for (let one = error; one instanceof Error && causes.length < 20; one = one.cause) causes.push(one);
  const message = [...new Set(causes.map(({ name, message }) => `${name}: ${message}`))].join("; ").slice(0, 2000);
  const word = { AbortError: "cancelled", TimeoutError: "timedOut" }[error.name];
  return { error: word ?? NAMES.find(([pattern]) => pattern.test(message))?.[1] ?? "unknown", domain, message };
}

function ways({ session, protocol, steps }) {
  const clients = new Map();
  const speaks = protocol === "h2" ? { http1: false } : {};
  for (const [task, { url }] of steps.entries()) {
    const isPlain = /^http:/i.test(url);
    if (protocol === "h2" && isPlain && (session.proxy || session.namesProxy)) {
      throw new Unimplemented(`steps[${task}]: Deno would speak HTTP/2 to the proxy that leads to names`, task);
    }
  }
  return {
    of(step) {
      const key = socketOf(step) ?? "";
      if (!clients.has(key)) clients.set(key, httpClient(session, step, speaks));
      return { client: clients.get(key) };
    },
    refuse: (step, task, { url }) => refuseElsewhere("Deno", session, step, task, url),
    end: () => clients.forEach((client) => client.close()),
  };
}

await serveFetch({
  client: "deno-fetch", revision: "1", version: `${Deno.version.deno} (V8 ${Deno.version.v8})`,
  abilities: ["h2", "prior-knowledge", "proxy", "proxy-tunnel", "proxy-tls", "socks", "socks-password"],
  undone: ["gzip", "x-gzip", "deflate", "br", "zstd"], ways, errorFacts,
});
