// A scenario made of requests that were seen, to be kept or to be run at once.
import { fill, make, plural, say } from "./dom.js";
import { call } from "./api.js";

/** Copies a text; browsers allow it on pages of loopback and of https. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say("Copied.");
  } catch {
    say("This browser lets no page copy here; select the text instead.", true);
  }
}

const button = (name, body) => {
  const element = make("button", { type: "button" }, name);
  element.addEventListener("click", body);
  return element;
};

export class Draft {
  /** `path` is that of the call; `place` gets what it answers. */
  constructor(path, place) {
    this.path = path;
    this.place = place;
    /** Sequence numbers of chosen requests, in the order in which they were chosen. */
    this.chosen = new Set();
  }

  toggle(sequence) {
    if (!this.chosen.delete(sequence)) this.chosen.add(sequence);
  }

  /** Asks for a scenario of `sequences`, and shows it. */
  async make(sequences) {
    let answer;
    try {
      answer = await call("POST", this.path, { entries: sequences });
    } catch (error) {
      say(error.message, true);
      return;
    }
    this.show(answer, make("pre", { tabindex: "0", id: "draft-text", "aria-label": "The scenario" }, answer.yaml));
  }

  /** Shows a scenario in `text`, which may be a field that is edited. */
  show(answer, text) {
    const yaml = () => text.value ?? answer.yaml;
    const heading = make("h2", { id: "draft-title", tabindex: "-1" }, `A scenario of ${plural(answer.requests, "request")}`);
    fill(
      this.place,
      make(
        "section", { "aria-labelledby": "draft-title" }, heading,
        make("p", { class: "soft" }, "Save it below your fixtures, and let proctor check read it."),
        make(
          "div", { class: "bar" }, button("Copy", () => copy(yaml())), button("Save", () => this.save(yaml())),
          button("Start a run of it", () => this.start(yaml())), button("Close", () => fill(this.place))),
        answer.remarks.length ? make("ul", { class: "findings" }, ...answer.remarks.map((remark) => make("li", {}, remark))) : null,
        text));
    heading.focus();
  }

  save(yaml) {
    const address = URL.createObjectURL(new Blob([yaml], { type: "application/yaml" }));
    const link = make("a", { href: address, download: "scenario.yaml" });
    link.click();
    URL.revokeObjectURL(address);
  }

  async start(yaml) {
    try {
      const run = await call("POST", "inline?id=draft", yaml, "application/yaml");
      location.href = `/__proctor/ui/runs/${run.run}`;
    } catch (error) {
      say(error.message, true);
    }
  }
}
