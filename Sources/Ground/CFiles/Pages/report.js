"use strict";
(() => {
const make = (name, attributes, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const label = (look) => (look.sign === look.word ? look.word : look.sign + " " + look.word);
const mark = (look, showsWord) => {
  const place = { class: "mark " + look.tone, title: look.word };
  if (showsWord) return make("span", place, label(look));
  const sign = make("span", { "aria-hidden": "true" }, look.sign);
  return make("span", place, sign, make("span", { class: "unseen" }, look.word));
};
const fill = (select, values) => {
  for (const [value, text] of values) select.append(make("option", { value }, text));
};
const store = (chosen) => {
  const text = chosen.toString();
  history.replaceState(null, "", (text ? "?" + text : location.pathname) + location.hash);
};
const find = (data) => {
  const form = document.getElementById("filters");
  const found = document.getElementById("found");
  const count = document.getElementById("count");
  const more = document.getElementById("more");
  const looks = Object.fromEntries(data.outcomes.map((look) => [look.letter, look]));
  const fields = ["q", "family", "kind", "a", "b", "outcome", "cause", "differ"];
  const familyOf = (id) => id.includes("/") ? id.slice(0, id.lastIndexOf("/")) : "scenarios";
  const cases = data.cases.map(([scenario, name, kind, summary, path], index) => ({
    id: scenario + "#" + name, family: familyOf(scenario), kind: data.kinds[kind], summary, path, index,
    text: (scenario + "#" + name + " " + summary).toLowerCase(),
  }));
  const why = data.why.map((text) => {
    const list = text.split(" ").map(Number);
    const causes = new Map();
    for (let i = 0; i < list.length; i += 2) causes.set(list[i], list[i + 1]);
    return causes;
  });
  const field = (name) => form.elements[name];
  fill(field("family"), [...new Set(cases.map((item) => item.family))].map((name) => [name, name]));
  fill(field("kind"), data.kinds.map((kind) => [kind, kind]));
  fill(field("outcome"), data.outcomes.map((look) => [look.letter, label(look)]));
  fill(field("cause"), data.causes.map((text, index) => [String(index), text.slice(0, 90)]));
  for (const name of ["a", "b"]) {
    fill(field(name), data.clients.map((client, index) => [String(index), client.name]));
  }
  let limit = 200;

  const load = () => {
    const chosen = new URLSearchParams(location.search);
    for (const name of fields) {
      if (name === "differ") field(name).checked = chosen.has(name);
      else field(name).value = chosen.get(name) || "";
    }
  };
  const save = () => {
    const chosen = new URLSearchParams();
    for (const name of fields) {
      const input = field(name);
      const value = name === "differ" ? (input.checked ? "1" : "") : input.value;
      if (value !== "") chosen.set(name, value);
    }
    store(chosen);
  };
  const columns = () => {
    const chosen = [field("a").value, field("b").value].filter((value) => value !== "").map(Number);
    return chosen.length ? [...new Set(chosen)] : data.clients.map((_, index) => index);
  };
  const row = (item, shown) => {
    const pair = shown.length === 2
      ? "?a=" + data.clients[shown[0]].slug + "&b=" + data.clients[shown[1]].slug : "";
    const line = make("tr", {}, make("th", { scope: "row" }, make("a", { href: item.path + pair }, item.id),
      make("br"), make("span", { class: "soft" }, item.summary)),
      make("td", {}, make("span", { class: "kind " + item.kind }, item.kind)));
    for (const client of shown) {
      const look = looks[data.marks[client][item.index]];
      const text = mark(look, shown.length < 3);
      line.append(make("td", {}, look.letter === "." ? text
        : make("a", { href: item.path + "#" + data.clients[client].slug }, text)));
    }
    return line;
  };
  const show = () => {
    const shown = columns();
    const words = field("q").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [family, kind, outcome, cause] =
      ["family", "kind", "outcome", "cause"].map((name) => field(name).value);
    const hits = cases.filter((item) => {
      if (family && item.family !== family) return false;
      if (kind && item.kind !== kind) return false;
      if (!words.every((word) => item.text.includes(word))) return false;
      const letters = shown.map((client) => data.marks[client][item.index]);
      if (outcome && !letters.includes(outcome)) return false;
      if (cause && !shown.some((client) => why[client].get(item.index) === Number(cause))) return false;
      return !field("differ").checked || new Set(letters).size > 1;
    });
    count.textContent = hits.length + (hits.length === 1 ? " case" : " cases")
      + (hits.length > limit ? ", the first " + limit + " are shown" : "");
    more.hidden = hits.length <= limit;
    const head = make("tr", {}, make("th", { scope: "col" }, "case"), make("th", { scope: "col" }, "kind"),
      ...shown.map((client) => make("th", { scope: "col" },
        make("a", { href: "client/" + data.clients[client].slug + ".html" }, data.clients[client].name))));
    const body = make("tbody", {}, ...hits.slice(0, limit).map((item) => row(item, shown)));
    found.replaceChildren(make("table", { class: "matrix found" }, make("caption", {}, "Found cases"),
      make("thead", {}, head), body));
  };
  let timer = 0;
  const change = () => { limit = 200; save(); show(); };
  form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(change, 120); });
  form.addEventListener("submit", (event) => { event.preventDefault(); change(); });
  more.addEventListener("click", () => { limit += 1000; show(); });
  load();
  form.hidden = false;
  found.hidden = false;
  show();
};
const compare = () => {
  const list = document.getElementById("clients");
  const sections = [...list.querySelectorAll("section.client")];
  if (sections.length < 2) return;
  const select = (name) => {
    const element = make("select", { id: "pair-" + name }, make("option", { value: "" }, "all"));
    fill(element, sections.map((section) => [section.id, section.dataset.client]));
    return element;
  };
  const [a, b] = [select("a"), select("b")];
  list.before(make("form", { id: "pair" },
    make("div", {}, make("label", { for: "pair-a" }, "client"), a),
    make("div", {}, make("label", { for: "pair-b" }, "beside"), b)));
  const show = () => {
    const chosen = [a.value, b.value].filter(Boolean);
    for (const section of sections) {
      const fold = section.closest("details.client");
      (fold || section).hidden = chosen.length > 0 && !chosen.includes(section.id);
      if (fold && chosen.includes(section.id)) fold.open = true;
    }
    list.classList.toggle("pair", new Set(chosen).size === 2);
  };
  const query = new URLSearchParams(location.search);
  for (const [element, name] of [[a, "a"], [b, "b"]]) {
    const value = query.get(name);
    if (sections.some((section) => section.id === value)) element.value = value;
    element.addEventListener("change", () => {
      const chosen = new URLSearchParams();
      if (a.value) chosen.set("a", a.value);
      if (b.value) chosen.set("b", b.value);
      store(chosen);
      show();
    });
  }
  show();
};
if (document.getElementById("filters") && typeof proctorReport !== "undefined") find(proctorReport);
if (document.getElementById("clients") && document.querySelector("section.client")) compare();
})();
