// The neutral names of errors of Node (errors.html) and of undici (docs/api/Errors.md), by their codes.

import { Unimplemented } from "../../kits/node/proctor.mjs";

const NAMES = {
  ENOTFOUND: "cannotFindHost", EAI_AGAIN: "cannotFindHost",
  ECONNREFUSED: "cannotConnect", EHOSTUNREACH: "cannotConnect", ENETUNREACH: "cannotConnect",
  EADDRNOTAVAIL: "cannotConnect", ENOENT: "cannotConnect",
  ECONNRESET: "connectionLost", EPIPE: "connectionLost", UND_ERR_SOCKET: "connectionLost",
  ETIMEDOUT: "timedOut", UND_ERR_CONNECT_TIMEOUT: "timedOut", UND_ERR_HEADERS_TIMEOUT: "timedOut",
  UND_ERR_BODY_TIMEOUT: "timedOut",
  ERR_INVALID_URL: "badURL", ERR_INVALID_PROTOCOL: "unsupportedURL", ERR_UNESCAPED_CHARACTERS: "badURL",
  CERT_HAS_EXPIRED: "serverCertificateHasBadDate", CERT_NOT_YET_VALID: "serverCertificateNotYetValid",
  SELF_SIGNED_CERT_IN_CHAIN: "serverCertificateHasUnknownRoot",
  UNABLE_TO_GET_ISSUER_CERT: "serverCertificateHasUnknownRoot",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "serverCertificateHasUnknownRoot",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "serverCertificateHasUnknownRoot",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: "clientCertificateRequired",
  ERR_HTTP2_ERROR: "badServerResponse", ERR_HTTP2_STREAM_ERROR: "connectionLost",
  ERR_HTTP2_SESSION_ERROR: "connectionLost", ERR_HTTP2_GOAWAY_SESSION: "connectionLost",
  ERR_HTTP2_INVALID_SESSION: "connectionLost", ERR_HTTP2_STREAM_CANCEL: "connectionLost",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "tooLarge", UND_ERR_HEADERS_OVERFLOW: "tooLarge",
};

// In this order; each is looked for in the code.
const PATTERNS = [
  [/^HPE_|^UND_ERR_(RES|RESPONSE|HTTP_PARSER|INFO)/, "badServerResponse"],
  [/^Z_|^ERR__ERROR_|^ERR_BROTLI|^ERR_.*DECOMPRESS/, "cannotDecodeContentData"],
  [/^ERR_SSL_.*ALERT_(BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE|UNKNOWN_CA)/, "clientCertificateRejected"],
  [/^ERR_SSL_|^EPROTO$/, "secureConnectionFailed"],
  [/CERT|^HOSTNAME_MISMATCH$|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/, "serverCertificateUntrusted"],
];

/** Throws where content has a coding that the client does not undo: nothing asks it to. */
export function refuseCoded(client, task, codings, undone = []) {
  const other = (codings ?? "").toLowerCase().split(",").map((one) => one.trim())
    .find((one) => one && one !== "identity" && !undone.includes(one));
  const reason = `steps[${task}]: ${client} does not undo ${other}, in which the content is coded`;
  if (other) throw new Unimplemented(reason, task);
}

/** `error` with what caused it, the outermost first. */
function chain(error) {
  const found = [];
  for (let one = error; one instanceof Error && found.length < 20; one = one.cause) {
    found.push(one, ...(one.errors ?? []));
  }
  return found;
}

/** The facts of an error for a `result`. */
export function errorFacts(error, domain) {
  const causes = chain(error);
  const codes = causes.map((one) => one.code).filter((code) => typeof code === "string");
  const named = codes.map((code) => NAMES[code] ?? PATTERNS.find(([pattern]) => pattern.test(code))?.[1]);
  const texts = causes.map((one) => `${[one.name, one.code].filter((word) => word).join(" ")}: ${one.message}`);
  const message = [...new Set(texts)].join("; ").slice(0, 2000);
  return { error: named.find((name) => name) ?? nameByText(causes), domain, message };
}

function nameByText(causes) {
  const says = (text) => causes.some(({ message }) => message.includes(text));
  if (causes.some(({ name }) => name === "TimeoutError")) return "timedOut";
  if (causes.some(({ name }) => name === "AbortError")) return "cancelled";
  if (says("redirect count exceeded")) return "tooManyRedirects";
  if (says("unknown scheme") || says("not implemented") || says("URL scheme must be")) return "unsupportedURL";
  return "unknown";
}
