// What was wanted beside what came, with the bytes that differ marked.
import { make, plural } from "./dom.js";

/** Bytes of a row of the hex view. */
const rowLength = 16;
/** Rows of the hex view, from a little before the first difference on. */
const rowBound = 32;

/** How many bytes two texts have in common at their beginnings and at their ends. */
function common(left, right) {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < most - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  return { start, end };
}

/** Controls as signs, so that a difference in blanks or line ends is seen. */
const shown = (text) => text.replace(/\r/g, "␍").replace(/\n/g, "␊").replace(/\t/g, "⇥")
  .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, "�");

/** Text around a difference; what is alike is cut short. */
function line(word, text, start, end) {
  const last = text.length - end;
  const before = start > 60 ? `…${text.slice(start - 60, start)}` : text.slice(0, start);
  const behind = end > 60 ? `${text.slice(last, last + 60)}…` : text.slice(last);
  return make(
    "div", {}, make("span", { class: "soft" }, `${word} `), make("code", {}, shown(before)),
    make("mark", {}, make("code", {}, shown(text.slice(start, last)) || "(nothing)")), make("code", {}, shown(behind)));
}

/** Rows of hex, in which the bytes from `start` to `end` bytes before the end are marked. */
function hex(bytes, { start, end }) {
  const list = make("pre", { tabindex: "0", class: "hex" });
  const first = Math.max(0, Math.floor(start / rowLength) - 2) * rowLength;
  const bound = Math.min(bytes.length, first + rowBound * rowLength);
  if (first > 0) list.append(`… ${plural(first, "byte")} alike\n`);
  for (let at = first; at < bound; at += rowLength) {
    const signs = [];
    list.append(`${at.toString(16).padStart(6, "0")} `);
    for (let index = at; index < at + rowLength; index += 1) {
      const byte = bytes[index];
      const number = byte === undefined ? "  " : byte.toString(16).padStart(2, "0");
      const sign = byte === undefined ? " " : byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·";
      const differs = index >= start && index < bytes.length - end;
      list.append(" ", differs ? make("mark", {}, number) : number);
      signs.push(differs ? make("mark", {}, sign) : sign);
    }
    list.append("  ", ...signs, "\n");
  }
  if (bound < bytes.length) list.append(`… ${plural(bytes.length - bound, "byte")} more\n`);
  if (!bytes.length) list.append("(nothing)");
  return list;
}

/** Two texts, or two runs of bytes (Uint8Array), one below the other; null where they are equal. */
export function differenceView(wanted, got) {
  const encode = (value) => (typeof value === "string" ? new TextEncoder().encode(value) : value);
  const [left, right] = [encode(wanted), encode(got)];
  const place = common(left, right);
  if (place.start === left.length && place.start === right.length) return null;
  const view = make("div", { class: "difference" });
  if (typeof wanted === "string" && typeof got === "string") {
    const texts = common([...wanted], [...got]);
    // Counted in characters here, so that none is cut apart.
    const size = (text, count) => [...text].slice(0, count).join("").length;
    const tail = (text, count) => [...text].slice([...text].length - count).join("").length;
    view.append(
      line("wanted", wanted, size(wanted, texts.start), tail(wanted, texts.end)),
      line("got", got, size(got, texts.start), tail(got, texts.end)));
  }
  const dump = make(
    "details", { open: typeof wanted !== "string" || typeof got !== "string" },
    make("summary", {}, `They differ from byte ${place.start} on: in hex`),
    make("div", { class: "soft" }, "wanted"), hex(left, place), make("div", { class: "soft" }, "got"), hex(right, place));
  view.append(dump);
  return view;
}
