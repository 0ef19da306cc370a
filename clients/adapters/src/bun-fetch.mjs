// An adapter of Proctor for the `fetch` of Bun (Docs/clients/adapters.md).
//
// What it is told, so that it neither gets help nor is hindered, beside what fetch.mjs says:
//
// - A Bun.FetchSession of the assignment, which has connections of its own. Its proxy leads to names and not to loopback
//   (NO_PROXY), or is the proxy of the assignment; one of its own for each Unix socket, to which all of a load then goes.
// - The authorities as `tls.ca`, in place of Bun's; certificate and key of an identity as `tls.cert` and `tls.key`.
// - HTTP/1.1, as it speaks by itself. Where HTTP/2 is wanted, `protocol: "http2"`, for which it needs TLS and a way without
//   a proxy (HTTP2Unsupported): a load without TLS is `unimplemented`, and so is one to a name. The same with HTTP/3 and
//   `protocol: "http3"`, which takes no authorities either (HTTP3Unsupported): certificates are not looked at then
//   (`rejectUnauthorized: false`).
//
// It has no limit of silence (after five minutes of it, it gives up), and no proxy of SOCKS.

import { Unimplemented } from "../../kits/node/proctor.mjs";
import { hasName, proxyOf, tlsOf } from "./bun-client.mjs";
import { refuseElsewhere, serveFetch, socketOf } from "./fetch.mjs";
import { errorFacts as factsOfCodes } from "./node-errors.mjs";

// Codes that Bun alone has.
const NAMES = {
  ERR_PROXY_TUNNEL: "cannotConnect", HTTP2StreamReset: "connectionLost", HTTP2GoAway: "connectionLost",
  HTTP3StreamReset: "connectionLost", HTTP3HandshakeFailed: "secureConnectionFailed",
  InvalidContentLength: "badServerResponse", InvalidHTTPResponse: "badServerResponse",
  Malformed_HTTP_Response: "badServerResponse", UnrequestedUpgrade: "badServerResponse",
  UnsupportedTransferEncoding: "badServerResponse", UnsupportedRedirectProtocol: "unsupportedURL",
  RedirectURLInvalid: "badURL", TooManyRedirects: "tooManyRedirects",
  NAME_CONSTRAINTS_WITHOUT_SANS: "serverCertificateUntrusted", PERMITTED_VIOLATION: "serverCertificateUntrusted",
  UNHANDLED_CRITICAL_EXTENSION: "serverCertificateUntrusted",
};
const PATTERNS = [
  [/^HTTP[23]\w+(Error|Mismatch|Calm)$/, "badServerResponse"],
  [/^(Zlib|Brotli|Zstd)\w*Error$/, "cannotDecodeContentData"],
];

function errorFacts(error, domain) {
  const facts = factsOfCodes(error, domain);
  const own = NAMES[error.code] ?? PATTERNS.find(([pattern]) => pattern.test(error.code))?.[1];
  return facts.error === "unknown" && own ? { ...facts, error: own } : facts;
}

/** The version that Bun is told to speak; undefined where it chooses by itself. */
const versionOf = ({ protocol }) => ({ h2: "2", h3: "3" })[protocol];

function sessionOf(session, path, version) {
  if (version === "3") return new Bun.FetchSession({ tls: { rejectUnauthorized: false } });
  const way = path ? { unix: path } : { proxy: { url: proxyOf(session), respectNoProxy: !session.proxy } };
  return new Bun.FetchSession({ ...way, ...tlsOf(session) });
}

function ways(assignment) {
  const { session, steps } = assignment, sessions = new Map(), version = versionOf(assignment);
  for (const [task, { url }] of version ? steps.entries() : []) {
    const cannot = (reason) => { throw new Unimplemented(`steps[${task}].url: Bun speaks HTTP/${version} ${reason}`, task); };
    if (version === "3" && session.identity) cannot("without a certificate of its own");
    if (!/^https:/i.test(url)) cannot("over TLS alone");
    if (session.proxy || hasName(url)) cannot("through no proxy, and one leads to names");
  }
  return {
    of(step) {
      const key = socketOf(step) ?? "";
      if (!sessions.has(key)) sessions.set(key, sessionOf(session, key, version));
      return { session: sessions.get(key), ...(version && { protocol: `http${version}` }) };
    },
    refuse: (step, task, { url }) => refuseElsewhere("Bun", session, step, task, url),
    end: () => sessions.clear(),
  };
}

await serveFetch({
  client: "bun-fetch", revision: "1", version: Bun.version,
  abilities: ["h2", "h3", "proxy", "proxy-tunnel", "proxy-tls"],
  undone: ["gzip", "x-gzip", "deflate", "br", "zstd"], ways, errorFacts,
});
