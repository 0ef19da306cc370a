// The requests of a run, a row each: what came, what was answered, and what was wrong with it.
import { duration, fill, make, mark, plural } from "./dom.js";
import { text } from "./entries.js";

/** Rows that are drawn of requests that failed, and of the last others; the rest is counted. */
const rowBound = 200;
const goodBound = 20;

const short = (value) => (value === undefined ? "" : String(value));

/** Failures that are open from the start; more would hide what stands below them. */
const openBound = 5;

/** The fields of a head as lines. */
const lines = (fields) => (fields || []).map(([name, value]) => `${name}: ${value}`);

/** Gathers what the journal says of each request. */
export class Requests {
  constructor(place) {
    this.place = place;
    this.clear();
  }

  clear() {
    this.all = new Map();
    this.version = 0;
    this.drawn = -1;
  }

  /** Takes an entry of the journal with its time. */
  take({ entry, time, kind }) {
    if (entry.request === undefined) return;
    let request = this.all.get(entry.request);
    if (entry.ev === "requestHead") {
      request = { number: entry.request, seq: entry.seq, head: entry, begin: time, end: null, reply: null, sent: null, faults: [] };
      this.all.set(entry.request, request);
    }
    if (!request) return;
    if (entry.ev === "replyBegun" && !(entry.status < 200)) request.reply = entry;
    if (["replySent", "replyAborted"].includes(entry.ev)) {
      request.sent = entry;
      request.end = time;
    }
    // Cookies that differ fail only a case that asks for them, whose finding says so.
    if (kind === "fault" && entry.ev !== "cookiesJudged") request.faults.push(entry);
    if (entry.ev === "missed") request.missed = entry;
    request.last = entry.seq;
    this.version += 1;
  }

  /** Draws the rows, failures first; `findings(sequence)` are those of the verdicts about an entry. */
  draw(findings, jump) {
    const rows = [...this.all.values()].map((request) => {
      const own = this.sequences(request).flatMap((sequence) => findings(sequence)).filter((one) => one.weight === "failure");
      const unique = [...new Map(own.map((one) => [one.plain || one.sentence, one])).values()];
      return { request, findings: unique, isBad: unique.length > 0 || request.faults.length > 0 };
    });
    const bad = rows.filter((row) => row.isBad);
    const good = rows.filter((row) => !row.isBad);
    const shown = [...bad.slice(0, rowBound), ...good.slice(-goodBound)];
    const rest = rows.length - shown.length;
    const open = new Map([...this.place.querySelectorAll("details")].map((one) => [one.dataset.request, one.open]));
    fill(
      this.place,
      make("ol", { class: "requests" }, ...shown.map((row, index) => this.row(row, index < openBound, open, jump))),
      rest > 0 ? make("p", { class: "soft" }, `and ${plural(rest, "more request")}, in the list below`) : null);
  }

  sequences(request) {
    return [request.seq, request.missed?.seq, ...request.faults.map((one) => one.seq)].filter((one) => one !== undefined);
  }

  row({ request, findings, isBad }, isAmongFirst, open, jump) {
    const { head, reply, sent } = request;
    const key = String(request.number);
    const status = reply?.status ?? sent?.status;
    const isCut = sent?.ev === "replyAborted";
    const answer = status === undefined ? (sent ? "raw bytes" : "no reply yet") : `${status}${isCut ? ", broken off" : ""}`;
    const took = request.end === null ? "" : duration(request.end - request.begin);
    const details = make("details", { "data-request": key, open: open.get(key) ?? (isBad && isAmongFirst) });
    details.append(make(
      "summary", {}, mark(isBad ? "fail" : "pass", isBad ? "failed" : "answered"),
      make("span", { class: "line" }, `${short(text(head, "method"))} ${short(text(head, "target"))}`),
      make("span", { class: "soft" }, `→ ${answer}`), make("span", { class: "soft took" }, took)));
    // Further ones are below, with the verdicts.
    for (const finding of findings.slice(0, 2)) details.append(make("p", { class: "sentence" }, finding.plain || finding.sentence));
    if (request.missed) {
      details.append(make("p", { class: "soft" }, "No exchange of the scenario answers it, so Proctor itself replied."));
    }
    const button = make("button", { type: "button", class: "small" }, "in the timeline");
    button.addEventListener("click", () => jump(request.seq));
    details.append(make("pre", { tabindex: "0", class: "lines" }, [
      `${short(text(head, "method"))} ${short(text(head, "target"))} ${head.version}`, ...lines(head.fields)].join("\n")));
    // What Proctor itself replied says the same as the sentences.
    if (reply && !request.missed) {
      const content = reply.content && text(reply.content, "body");
      details.append(make("pre", { tabindex: "0", class: "lines reply" }, [
        `${reply.status}`, ...lines(reply.fields), ...(content ? ["", content.slice(0, 400)] : [])].join("\n")));
    }
    details.append(button);
    return make("li", { class: isBad ? "bad-request" : "" }, details);
  }
}
