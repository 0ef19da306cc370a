// The authorities of an assignment in a form that Bun can judge by.
//
// Proctor's root may vouch for names and for addresses of loopback (RFC 5280 §4.2.1.10), and its certificates have both. Bun's
// BoringSSL knows no constraint of addresses and refuses each certificate below such a root (UNSUPPORTED_CONSTRAINT_TYPE,
// https://github.com/oven-sh/bun/pull/42254). So that the rest can be judged, Bun is given the root without the constraints of
// addresses; those of names stay. The signature of a root, which no longer fits, is not looked at.

const SEQUENCE = 0x30, OCTET_STRING = 0x04, CONSTRUCTED = 0x20, ADDRESS = 0x87;
const NAME_CONSTRAINTS = Buffer.from("0603551d1e", "hex");

/** The elements of DER that stand one behind the other: tag, content, and all bytes of each. */
function elements(bytes) {
  const found = [];
  for (let at = 0; at < bytes.length;) {
    const [tag, first] = [bytes[at], bytes[at + 1]];
    const width = first < 0x80 ? 0 : first & 0x7f;
    const length = width ? bytes.readUIntBE(at + 2, width) : first;
    const start = at + 2 + width, end = start + length;
    if (!(end <= bytes.length)) throw new Error("the certificate of an authority breaks off");
    found.push({ tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) });
    at = end;
  }
  return found;
}

function element(tag, content) {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** The element without its subtrees of addresses; `isWithin` says whether it belongs to a constraint of names. */
function withoutAddresses({ tag, content, whole }, isWithin = false) {
  const isWrapped = isWithin && tag === OCTET_STRING;
  if (!isWrapped && !(tag & CONSTRUCTED)) return whole;
  const parts = elements(content);
  const isConstraint = isWithin || (tag === SEQUENCE && parts[0]?.whole.equals(NAME_CONSTRAINTS));
  const kept = parts.filter((part) => !(isConstraint && part.tag === SEQUENCE && part.content[0] === ADDRESS));
  return element(tag, Buffer.concat(kept.map((part) => withoutAddresses(part, isConstraint))));
}

/** Each certificate of a text in PEM. */
export function authorities(text) {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g).map((pem) => {
    const [certificate] = elements(Buffer.from(pem.replace(/-----[^-]*-----/g, ""), "base64"));
    const lines = withoutAddresses(certificate).toString("base64").match(/.{1,64}/g);
    return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
  });
}
