// Elements, texts and numbers, for all pages.

/** An element; attributes whose value is null or false are left out. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Replaces what an element has. */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

/** The same for what is drawn again: each `details` stays open or closed as the reader left it. */
export function refill(element, ...children) {
  // A `details` is known by its data-case, else by its summary, and by those that it stands in.
  const all = () => [...element.querySelectorAll("details")].map((one) => {
    const names = [];
    for (let each = one; each && each !== element; each = each.parentElement.closest("details")) {
      names.push(each.dataset.case ?? each.querySelector("summary").textContent);
    }
    return [names.join("\n"), one];
  });
  const before = new Map(all().map(([name, one]) => [name, one.open]));
  fill(element, ...children);
  for (const [name, one] of all()) one.open = before.get(name) ?? one.open;
}

/** Says something where screen readers say it too. */
export function say(text, isBad = false) {
  const place = byId("state");
  if (!place) return;
  place.textContent = text;
  place.className = text ? (isBad ? "notice bad" : "notice") : "";
}

/** A count and its word: `1 entry`, `2,000 entries`. */
export function plural(count, word, words = `${word}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? word : words}`;
}

/** A time in milliseconds, short: `0.42 ms`, `13 ms`, `2.5 s`. */
export function duration(milliseconds) {
  if (milliseconds < 10) return `${milliseconds.toFixed(2)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(2)} s`;
  const minutes = Math.floor(milliseconds / 60_000);
  return `${minutes} min ${Math.round((milliseconds - minutes * 60_000) / 1000)} s`;
}

const looks = {
  pass: ["good", "✓"], fail: ["bad", "✗"], partly: ["half", "◐"], observed: ["listed", "○"],
  "not-judged": ["none", "–"], "setup-failed": ["broken", "!"],
};

/** A link to the chapter of the book about a rule, an outcome or violations. */
export const chapter = (about, text) => make("a", { class: "chapter", href: `/__proctor/ui/docs?about=${about}` }, text);

/** The mark of a verdict: a sign and its word. */
export function mark(verdict, text = verdict) {
  const [tone, sign] = looks[verdict] || ["none", verdict ? "?" : ""];
  return make("span", { class: `mark ${tone}` }, `${sign} ${text}`.trim());
}

/** Calls `body` at most once in `milliseconds`, with the newest arguments. */
export function thinned(milliseconds, body) {
  let timer = null;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => body(...values), milliseconds);
  };
}
