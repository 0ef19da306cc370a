// The search of the book as one types: a server searches, and in a folder of pages the data beside this script is searched.
// Without this script the form of a server does the same.
"use strict";
(() => {
  const form = document.getElementById("search");
  const found = document.getElementById("found");
  const field = form.elements.q;
  const data = globalThis.proctorBook;
  // Pages of a folder name each other relative to themselves.
  const way = data ? new URL(".", document.currentScript.src).href : "";

  const synonyms = new Map(data ? data.synonyms.map(({ word, others }) => [word, others]) : []);

  // The same as ProctorBook's BookSearch and ProctorScenario's SearchTerm.
  const terms = (text) => {
    const words = text.toLowerCase().slice(0, 300).split(/[\s?!,;]+/).filter(Boolean);
    const list = [];
    while (words.length) {
      const count = [3, 2].find((size) => size <= words.length && synonyms.has(words.slice(0, size).join(" "))) || 1;
      list.push(words.splice(0, count).join(" "));
    }
    const telling = list.filter((word) => !data.empty.includes(word));
    return (telling.length ? telling : list).slice(0, 12);
  };
  const isInner = (letter) => /[a-z0-9]/.test(letter);
  const wordCount = (text, word, limit) => {
    let count = 0;
    for (let at = text.indexOf(word); at >= 0 && count < limit; at = text.indexOf(word, at + word.length)) {
      if (at === 0 || !isInner(text[at - 1]) || !isInner(word[0])) count += 1;
    }
    return count;
  };
  const weigh = (word, [name, title, text]) => {
    if (wordCount(name, word, 1)) return 32;
    if (wordCount(title, word, 1)) return 24;
    const count = wordCount(text, word, 5);
    return count ? 8 + 4 * Math.floor(count / 2) : 0;
  };
  const weighOther = (word, searched, index, own) => word.endsWith("/") && searched[0].startsWith(word)
    ? 36 + Math.floor(own / 8) : weigh(word, searched) - 4 - Math.min(index, 2);
  const weights = (list, searched) => list.map((word) => {
    const own = weigh(word, searched);
    return Math.max(own, ...(synonyms.get(word) || []).map((other, index) => weighOther(other, searched, index, own)));
  });

  const searchData = (text) => {
    const list = terms(text);
    const ranked = [];
    for (const entry of data.entries) {
      const each = weights(list, entry.searched);
      const count = each.filter((weight) => weight > 0).length;
      if (!count || 2 * count < each.length) continue;
      const isExact = list.length === 1 && entry.title.toLowerCase() === list[0];
      const weight = each.reduce((left, right) => left + right, 0) + entry.bonus + (isExact ? 11 : 0);
      ranked.push({ entry, count, weight });
    }
    const most = Math.max(0, ...ranked.map((one) => one.count));
    const groups = new Set();
    return ranked.filter((one) => one.count === most).sort((left, right) => right.weight - left.weight)
      .map((one) => one.entry).filter((entry) => !groups.has(entry.group) && groups.add(entry.group)).slice(0, 20);
  };

  const item = (hit) => {
    const make = (name, text) => Object.assign(document.createElement(name), { textContent: text });
    const title = make("a", hit.title);
    title.href = way + hit.address;
    const place = make("span", hit.place);
    place.className = "soft";
    const entry = document.createElement("li");
    entry.append(title, " ", place, make("p", hit.line));
    return entry;
  };

  const show = (typed, hits) => {
    const list = document.createElement(hits.length ? "ol" : "p");
    if (hits.length) {
      list.className = "hits";
      list.append(...hits.map(item));
    } else {
      list.textContent = `Nothing in the book has the words “${typed}”. Fewer words find more.`;
    }
    found.replaceChildren(list);
  };

  let running = null;
  const search = async () => {
    const typed = field.value.trim();
    if (running) running.abort();
    if (!typed) return found.replaceChildren();
    if (data) return show(typed, searchData(typed));
    running = new AbortController();
    try {
      const response = await fetch(`/__proctor/docs?q=${encodeURIComponent(typed)}`, { signal: running.signal });
      if (!response.ok) return form.submit();
      show(typed, (await response.json()).hits);
    } catch (error) {
      if (error.name !== "AbortError") form.submit();
    }
  };

  let timer = null;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 80);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    search();
  });
  form.hidden = false;
  // The page that is read is seen in the contents beside it.
  const contents = document.getElementById("contents");
  const current = contents.querySelector("li > [aria-current]");
  if (current) contents.scrollTop = current.offsetTop - contents.offsetTop - contents.clientHeight / 3;
  // "/" brings the search, as in the catalogue.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    field.focus();
  });
})();
