// A request that was seen as a command line for curl, which sends it again.

/** Bytes of content that stand on a command line. */
const bodyBound = 64 * 1024;

/** What curl sends by itself, unless it is told otherwise. */
const ownFields = ["user-agent", "accept"];

const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);

/** Text for bash's $'…' quoting, which can say every byte but NUL. */
const escaped = (bytes) => `$'${[...bytes].map((byte) => (
  byte > 31 && byte < 127 && byte !== 39 && byte !== 92
    ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`)).join("")}'`;

const isPlain = (text) => !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text);

const value = (item) => (typeof item === "string" ? item : null);

/**
 * The command line, and what it can't say, half a sentence each.
 *
 * `head` is a requestHead, `body` its requestBody where there is one, `place` the connectionOpened of its connection;
 * `isSecure` says whether it had a handshake.
 */
export function curlLine(head, body, place, isSecure) {
  const words = ["curl", "-i"];
  const missing = [];
  const method = value(head.method);
  const target = value(head.target);
  if (method === null || target === null) return { line: null, missing: ["the method or the target is no text"] };
  const fields = head.fields || [];
  const has = (name) => fields.some(([one]) => value(one)?.toLowerCase() === name);
  const content = contentOf(body, missing);
  if (head.version === "HTTP/1.0") words.push("--http1.0");
  // With TLS curl asks for HTTP/2 by itself.
  if (head.version === "HTTP/2" && !isSecure) words.push("--http2-prior-knowledge");
  if (method === "HEAD") words.push("-I");
  else if (method !== (content === null ? "GET" : "POST")) words.push("-X", method);
  if (isSecure) words.push("-k");
  const host = place ? place.local : "SERVER";
  for (const [name, text] of fields) {
    if (value(name) === null || value(text) === null) {
      missing.push("a field is no text");
      continue;
    }
    const lower = name.toLowerCase();
    if (lower === "content-length" || lower === "host" && text === host) continue;
    words.push("-H", text === "" ? `${name};` : `${name}: ${text}`);
  }
  for (const name of ownFields) if (!has(name)) words.push("-H", `${name}:`);
  if (!has("host")) words.push("-H", "host:");
  if (content !== null && !has("content-type")) words.push("-H", "content-type:");
  let line = words.map(quoted).join(" ");
  // Unlike the other options for content this one reads no file for an @.
  if (content !== null) line += ` --data-raw ${content}`;
  const isPath = target.startsWith("/");
  if (!isPath) line += ` --request-target ${quoted(target)}`;
  line += ` --path-as-is --globoff ${quoted(`${isSecure ? "https" : "http"}://${host}${isPath ? target : "/"}`)}`;
  return { line, missing };
}

/** The content as a word for the shell; null where there is none. */
function contentOf(body, missing) {
  if (!body || !body.byteCount) return null;
  if (body.byteCount > bodyBound || !body.isComplete) {
    missing.push(body.isComplete ? `the content has ${body.byteCount} bytes, and is left out` : "the content was not complete");
    return null;
  }
  if (typeof body.body === "string" && isPlain(body.body)) {
    return quotedText(body.body);
  }
  const bytes = body.bodyBase64 === undefined
    ? new TextEncoder().encode(body.body || "") : Uint8Array.from(atob(body.bodyBase64), (one) => one.charCodeAt(0));
  if (bytes.includes(0)) {
    missing.push("the content has NUL, which no command line can say, and is left out");
    return null;
  }
  return escaped(bytes);
}

const quotedText = (text) => `'${text.replace(/'/g, "'\\''")}'`;
