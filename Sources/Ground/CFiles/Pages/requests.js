// The requests of a run: first those that went wrong, open and with their bytes, then the others, folded by what they share.
// Where nothing went wrong, each has a row, in the order in which they came.
import { duration, make, mark, plural, refill } from "./dom.js";
import { findingParts, isSaidBy } from "./details.js";
import { text } from "./entries.js";
import { events, isEventStream, said, summary, talkView } from "./talk.js";

/** Rows of a list; others are pages behind it. */
const pageBound = 50;
/** Failures that are open from the start; further ones are folded, since more would hide what stands below them. */
const openBound = 3;
/** Findings of one request. */
const findingBound = 10;
/** Characters of content that stand in a row, and below it. */
const shortBound = 60;
const contentBound = 2_000;
/** Lines of a dialogue that are kept of one request. */
const talkBound = 2_000;

/** What a request shares with others: `answered by 200`. */
function fateOf({ reply, sent, isExpected }) {
  const status = reply?.status ?? sent?.status;
  if (status === undefined && !sent) return "not answered yet";
  return `answered by ${status ?? "raw bytes"}${sent?.ev === "replyAborted" ? ", broken off" : ""}${isExpected ? "" : " of Proctor itself"}`;
}

const short = (value) => (value === undefined ? "" : String(value));

/** The fields of a head as lines. */
const lines = (fields) => (fields || []).map(([name, value]) => `${name}: ${value}`);

/** The beginning of a content in one line. */
function brief(content) {
  if (!content) return "";
  const line = content.replace(/\s+/g, " ").trim();
  return line.length > shortBound ? `${line.slice(0, shortBound)}…` : line;
}

/** A head with its content, as they stand on the wire. */
function message(first, fields, content) {
  const shown = content && content.length > contentBound
    ? `${content.slice(0, contentBound)}\n… ${plural(content.length - contentBound, "character")} more` : content;
  return [first, ...lines(fields), ...(shown ? ["", shown] : [])].join("\n");
}

/** Gathers what the journal says of each request. */
export class Requests {
  constructor(place) {
    this.place = place;
    this.clear();
  }

  clear() {
    this.all = new Map();
    /** The request of each entry. */
    this.owners = new Map();
    this.version = 0;
    this.drawn = -1;
    /** By list the first row that is shown; where none is known, the newest ones are. */
    this.first = new Map();
    /** The groups that the reader has opened. */
    this.opened = new Set();
  }

  /** Takes an entry of the journal with its time. */
  take({ entry, time, kind }) {
    if (entry.request === undefined) return;
    let request = this.all.get(entry.request);
    if (entry.ev === "requestHead") {
      request = {
        number: entry.request, seq: entry.seq, head: entry, body: null, begin: time, end: null, reply: null, sent: null,
        faults: [], talk: [], talkFirst: null,
      };
      this.all.set(entry.request, request);
    }
    if (!request) return;
    this.owners.set(entry.seq, entry.request);
    if (entry.ev === "requestBody") request.body = entry;
    if (entry.ev === "replyBegun" && !(entry.status < 200 && entry.status !== 101)) request.reply = entry;
    if (["replySent", "replyAborted"].includes(entry.ev)) {
      request.sent = entry;
      request.end = time;
    }
    const line = said(entry);
    if (line && request.talk.length < talkBound) request.talk.push(line);
    // Cookies that differ fail only a case that asks for them, whose finding says so.
    if (kind === "fault" && entry.ev !== "cookiesJudged") request.faults.push(entry);
    if (entry.ev === "missed") request.missed = entry;
    if (entry.ev === "exchangeChosen") request.isExpected = true;
    if (entry.ev === "webSocketOpened") request.isWebSocket = true;
    request.last = entry.seq;
    this.version += 1;
  }

  /**
   * Draws the requests with the findings of the chosen case; `sentence` is what the page says before them. Where no case is chosen, `findings`
   * is null, and each fault of a request counts.
   */
  draw(findings, sentence, jump) {
    this.again = () => this.draw(findings, sentence, jump);
    this.jump = jump;
    const failures = Map.groupBy((findings ?? []).filter((one) => one.weight === "failure"), (one) => this.owners.get(one.seq));
    const rows = [...this.all.values()].map((request) => {
      const own = failures.get(request.number) ?? [];
      const unique = [...new Map(own.map((one) => [one.plain || one.sentence, one])).values()];
      return {
        request, findings: unique, fate: fateOf(request), isBad: unique.length > 0 || findings === null && request.faults.length > 0,
        isSubject: unique.some((one) => isSaidBy(sentence, one)), sentence,
      };
    });
    const bad = rows.filter((row) => row.isBad).sort((one, other) => Number(other.isSubject) - Number(one.isSubject));
    if (!bad.length) {
      refill(this.place, ...this.list("all", rows));
      return;
    }
    const groups = (some) => [...Map.groupBy(some, (row) => row.fate)];
    refill(
      this.place,
      make("ol", { class: "requests" }, ...bad.slice(0, openBound).map((row) => this.row(row, true))),
      ...groups(bad.slice(openBound)).map(([fate, some]) => this.group(some, `failed, ${fate}`)),
      ...groups(rows.filter((row) => !row.isBad)).map(([fate, some]) => this.group(some, `were ${fate}`)));
  }

  /** `61 more that were answered by 200`, with their rows once it is open; one alone is a row. */
  group(rows, many) {
    const count = rows.length;
    if (count === 1) return make("ol", { class: "requests" }, this.row(rows[0], false));
    const key = `more ${many}`;
    const details = make(
      "details", { class: "others", "data-case": key, open: this.opened.has(key) },
      make("summary", {}, `${count.toLocaleString("en")} more that ${many}`));
    const write = () => {
      this.opened[details.open ? "add" : "delete"](key);
      if (details.open && details.children.length === 1) details.append(...this.list(key, rows));
    };
    details.addEventListener("toggle", write);
    write();
    return details;
  }

  /** A page of rows, and above it what turns to others. */
  list(key, rows) {
    const first = this.first.get(key);
    const begin = Math.min(first ?? Infinity, Math.max(0, rows.length - pageBound));
    const shown = rows.slice(begin, begin + pageBound);
    return [
      rows.length > pageBound ? this.bar(key, begin, shown.length, rows.length) : null,
      make("ol", { class: "requests" }, ...shown.map((row) => this.row(row, false))),
    ].filter((one) => one !== null);
  }

  bar(key, begin, shownCount, count) {
    const turn = (name, isPossible, first) => {
      const button = make("button", { type: "button", class: "small", disabled: !isPossible }, name);
      button.addEventListener("click", () => {
        if (first === null) this.first.delete(key);
        else this.first.set(key, first);
        this.again();
      });
      return button;
    };
    const end = begin + shownCount;
    const isNewest = end + pageBound >= count;
    return make(
      "div", { class: "bar", role: "group", "aria-label": "Pages of requests" },
      make("span", {}, `${begin + 1} to ${end} of ${plural(count, "request")}`),
      turn("First", begin > 0, 0), turn("Earlier", begin > 0, Math.max(0, begin - pageBound)),
      turn("Later", end < count, isNewest ? null : end), turn("Newest", end < count, null));
  }

  row({ request, findings, isBad, fate, sentence }, isOpened) {
    const { head, reply, sent } = request;
    const took = request.end === null ? "" : duration(request.end - request.begin);
    const asked = request.body ? text(request.body, "body") : "";
    const answered = reply?.content ? text(reply.content, "body") : "";
    const stream = reply && isEventStream(reply) && answered ? events(answered) : [];
    const talk = request.talk.length ? request.talk : stream;
    const brieflyAnswered = request.isWebSocket ? summary(request.talk)
      : stream.length ? plural(stream.filter((line) => line.by === "server").length, "event") : request.missed ? "" : brief(answered);
    const first = `${short(text(head, "method"))} ${short(text(head, "target"))}`;
    // A request that goes wrong later is opened, though its row was closed.
    const details = make("details", {
      "data-case": `${isBad ? "failed" : ""}${request.number}`, "data-request": String(request.number), open: isOpened,
    });
    details.append(make(
      "summary", {}, make("span", { class: "number" }, `${request.number + 1}`),
      isBad ? mark("fail", "failed") : request.isExpected ? mark("pass", "answered") : mark("not-judged", "not judged"),
      make("span", { class: "line" }, first), asked ? make("span", { class: "said" }, brief(asked)) : null,
      make("span", { class: "soft" }, fate),
      brieflyAnswered ? make("span", { class: "said" }, brieflyAnswered) : null, make("span", { class: "soft took" }, took)));
    // What the page has said before is not said again.
    const told = findings.slice(0, findingBound);
    for (const one of told.filter((one) => !isSaidBy(sentence, one))) {
      details.append(make("p", { class: "sentence" }, one.plain || one.sentence));
    }
    if (request.missed && !findings.length) details.append(make("p", { class: "soft" }, "No exchange of the scenario answers it."));
    details.append(make("pre", { tabindex: "0", class: "lines" }, message(`${first} ${head.version}`, head.fields, asked)));
    // What Proctor itself replied says the same as the sentences.
    if (reply && !request.missed) {
      details.append(make(
        "pre", { tabindex: "0", class: "lines reply" }, message(`${reply.status}`, reply.fields, talk.length ? "" : answered)));
    }
    if (talk.length) {
      details.append(talkView(talk, request.talkFirst, (begin) => {
        request.talkFirst = begin;
        this.again();
      }));
    } else if (reply && !request.missed && reply.content === undefined && sent?.byteCount > (reply.headByteCount ?? 0)) {
      details.append(make(
        "p", { class: "soft" }, "The journal has no bytes of this content, which effects or a script sent: its entries say when they went out."));
    }
    details.append(...told.map((finding) => findingParts(finding, false)));
    const button = make("button", { type: "button", class: "small" }, "in the timeline");
    button.addEventListener("click", () => this.jump(request.seq));
    details.append(button);
    return make("li", { class: isBad ? "bad-request" : "" }, details);
  }
}
