// The verdicts of a run: that of the case which the client plays, and the others in a word.
import { chapter, make, mark, plural, refill } from "./dom.js";
import { findingView } from "./details.js";

/** Verdicts on the requests, and on traces that were sent, by case. */
export class Verdicts {
  /** `place` is the list; `changed` is called when another case is chosen. */
  constructor(place, jump, changed) {
    this.place = place;
    this.jump = jump;
    this.changed = changed;
    this.all = new Map();
    this.judged = new Map();
    /** The case that was chosen by hand, by the address, or by a trace that names it. */
    this.wanted = new URLSearchParams(location.search).get("case");
    this.hasBegun = false;
    this.version = 0;
  }

  /** Forgets the traces; verdicts on the requests come anew. */
  clear() {
    this.judged.clear();
    this.version += 1;
  }

  take(verdict) {
    this.all.set(verdict.case, verdict);
    this.draw();
  }

  takeTrace(number, trace) {
    this.judged.set(trace.verdict.name, { number, ...trace });
    if (this.chosen === null) this.wanted = trace.verdict.name;
    this.draw();
  }

  /** Says whether a request has come: before the first one there is nothing to hold against a client. */
  begin(hasBegun) {
    if (this.hasBegun === hasBegun) return;
    this.hasBegun = hasBegun;
    this.draw();
  }

  /** The case whose findings are shown: the only one, or the chosen one; null where none of several is chosen. */
  get chosen() {
    if (this.wanted !== null && this.all.has(this.wanted)) return this.wanted;
    return this.all.size === 1 ? this.all.keys().next().value : null;
  }

  choose(name) {
    this.wanted = name;
    history.replaceState(null, "", `${location.pathname}?case=${encodeURIComponent(name)}`);
    this.draw();
    this.changed();
  }

  /** The findings of the chosen case about an entry; what both verdicts of a case say stands there once. */
  about(sequence) {
    const name = this.chosen;
    if (name === null) return [];
    const judged = this.judged.get(name);
    const all = [
      [name, this.all.get(name).findings],
      [`${name} with callbacks`, (judged?.verdict.findings ?? []).map(
        (one) => ({ ...one, seq: one.event === undefined ? one.entry : `c${judged.number}-${one.event}` }))],
    ];
    const found = new Map();
    for (const [owner, findings] of all) {
      for (const finding of findings.filter((one) => one.seq === sequence)) {
        const known = found.get(finding.sentence);
        if (known) known.cases.push(owner);
        else found.set(finding.sentence, { ...finding, cases: [owner] });
        if (finding.weight === "failure") found.get(finding.sentence).weight = "failure";
      }
    }
    return [...found.values()];
  }

  draw() {
    this.version += 1;
    // A scenario without a case has no verdicts to show.
    const section = this.place.closest("section");
    if (section) section.hidden = this.all.size === 0;
    const chosen = this.chosen;
    refill(
      this.place, this.all.size > 1 ? this.choice(chosen) : null,
      chosen === null ? null : this.verdictView(this.all.get(chosen)));
  }

  /** A button for each of several cases. */
  choice(chosen) {
    return make(
      "li", {},
      make("p", { class: "soft" }, chosen === null
        ? `This scenario has ${this.all.size} cases, and nothing says which one your client plays: choose it, and the requests are judged by it.`
        : `The case that your client plays, of ${this.all.size}:`),
      make("div", { class: "bar", role: "group", "aria-label": "Cases" }, ...[...this.all.values()].map((verdict) => {
        const word = this.hasBegun ? verdict.verdict : "waiting";
        const button = make(
          "button", { type: "button", class: "small", "data-choose": verdict.case, "aria-pressed": String(verdict.case === chosen) },
          `${verdict.case}: ${word}`);
        button.addEventListener("click", () => this.choose(verdict.case));
        return button;
      })));
  }

  verdictView(verdict) {
    const hasBegun = this.hasBegun || !["fail", "not-judged"].includes(verdict.verdict);
    const head = [
      hasBegun ? mark(verdict.verdict) : mark("not-judged", "waiting"), make("span", { class: "id" }, ` ${verdict.case}`),
      make("span", { class: `kind ${verdict.kind}` }, verdict.kind),
    ];
    const told = verdict.sentence && hasBegun ? make("p", { class: "sentence" }, verdict.sentence) : null;
    const reason = told || (verdict.reason ? make("p", { class: "soft" }, verdict.reason) : null);
    const withCallbacks = this.judgedView(this.judged.get(verdict.case));
    const meaning = chapter(verdict.verdict, `What ${verdict.verdict} means`);
    if (!verdict.findings.length || !hasBegun) return make("li", {}, ...head, " ", hasBegun ? meaning : null, reason, withCallbacks);
    const box = make(
      "details", { "data-case": verdict.case },
      make("summary", {}, ...head, make("span", { class: "soft" }, ` ${plural(verdict.findings.length, "finding")}`)),
      make("ul", { class: "findings" }, ...verdict.findings.map((finding) => findingView(finding, this.jump))));
    return make("li", {}, reason, box, meaning, withCallbacks);
  }

  /** The verdict about a trace that the client's side has sent. */
  judgedView(trace) {
    if (!trace) return null;
    const { verdict } = trace;
    const count = trace.events.length + (trace.more || 0);
    const head = [mark(verdict.outcome), make("span", { class: "soft" }, ` with ${plural(count, "callback")} that were sent`)];
    if (!verdict.findings.length) return make("div", { class: "judged" }, ...head);
    return make(
      "details", { class: "judged", "data-case": `${verdict.name} with callbacks` },
      make("summary", {}, ...head, make("span", { class: "soft" }, ` ${plural(verdict.findings.length, "finding")}`)),
      make("ul", { class: "findings" }, ...verdict.findings.map((finding) => findingView(finding, this.jump))));
  }
}
