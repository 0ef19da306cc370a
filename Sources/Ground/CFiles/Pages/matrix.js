"use strict";
// Chooses clients by a word, sorts the table by a column, and keeps what is chosen in the address. All else works without it.
(() => {
const make = (name, attributes, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const chosen = new URLSearchParams(location.search);
const store = (name, value, plain) => {
  if (value === plain) chosen.delete(name);
  else chosen.set(name, value);
  const text = chosen.toString();
  history.replaceState(null, "", (text ? `?${text}` : location.pathname) + location.hash);
};

// What of the address is chosen by the buttons of the page: `?kind=must`, `?board=http2`.
for (const name of ["board", "kind"]) {
  const inputs = [...document.querySelectorAll(`input[name=${name}]`)];
  if (!inputs.length) continue;
  const word = (input) => (name === "board" ? input.value : input.id.slice(2));
  const plain = word(inputs[0]);
  const wanted = inputs.find((input) => word(input) === chosen.get(name));
  // A browser may have kept another choice from an earlier visit.
  (wanted ?? inputs[0]).checked = true;
  for (const input of inputs) input.addEventListener("change", () => store(name, word(input), plain));
}

// Rows of clients with a word of their name.
const tables = [...document.querySelectorAll("table.shares")];
if (tables.length) {
  const input = make("input", { type: "search", placeholder: "curl, fetch, websocket", "aria-label": "Clients with the word", autocomplete: "off" });
  const label = make("label", { class: "choice" }, "client ", input);
  document.querySelector(".choices").append(label);
  const show = () => {
    const words = input.value.toLowerCase().split(/[\s,]+/).filter(Boolean);
    for (const row of tables.flatMap((table) => [...table.tBodies[0].rows])) {
      const text = row.cells[0].textContent.toLowerCase();
      row.hidden = words.length > 0 && !words.some((word) => text.includes(word));
    }
  };
  input.value = chosen.get("client") ?? "";
  input.addEventListener("input", () => {
    store("client", input.value, "");
    show();
  });
  show();
}

// A column sorts by the share that is shown; once more brings the order of the page back.
for (const table of tables) {
  const body = table.tBodies[0];
  const given = [...body.rows];
  let sorted = null;
  const shown = (cell) => {
    const figure = [...cell.querySelectorAll("b, i, u")].find((one) => getComputedStyle(one).display !== "none");
    return Number(figure?.textContent ?? NaN);
  };
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (column === 0) return;
    const button = make("button", { type: "button", title: "Sort by this column", "aria-label": `Sort by ${head.textContent}` }, "↕");
    button.addEventListener("click", () => {
      sorted = sorted === column ? null : column;
      const order = (row) => {
        const share = shown(row.cells[column]);
        return Number.isNaN(share) ? -1 : share;
      };
      body.append(...(sorted === null ? given : [...given].sort((one, other) => order(other) - order(one))));
      for (const one of table.tHead.rows[0].cells) one.removeAttribute("aria-sort");
      if (sorted !== null) head.setAttribute("aria-sort", "descending");
    });
    head.append(button);
  });
}

// The scenarios that a client failed.
const ofClient = document.getElementById("of-client");
if (ofClient) {
  const select = ofClient.querySelector("select");
  const scenarios = [...document.querySelectorAll(".scenario")];
  const show = () => {
    for (const one of scenarios) one.hidden = select.value !== "" && !one.dataset.failed.split(" ").includes(select.value);
  };
  ofClient.hidden = scenarios.length === 0;
  select.value = chosen.get("failed") ?? "";
  select.addEventListener("change", () => {
    store("failed", select.value, "");
    show();
  });
  show();
}

// A link to what is folded opens it, in browsers that do not do so by themselves.
const open = () => {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  const fold = target?.closest("details");
  if (!fold) return;
  fold.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", open);
open();
})();
