"use strict";
// Draws each table of events to scale in place of the table, which is folded below: time goes down, long pauses are folded.
// A page that was opened as a file loads no modules, so that this is a script of its own.
(() => {
const width = 1040;
const axisWidth = 96;
const barDistance = 20;
const top = 40;
const lineHeight = 17;
const characterWidth = 7.25;
const columnGap = 14;
/** The columns, with their shares of the width in percent. */
const shares = { wire: 46, callbacks: 34, harness: 20 };
/** Bars of a drawing; further connections and streams have none. */
const barBound = 10;
const foldHeight = 26;
const foldBound = 24;
const tickDistance = 48;

const svg = (name, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const html = (name, attributes, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
/** A mark and the text that the pointer shows over it. */
const titled = (element, text) => {
  element.append(svg("title", {}, text));
  return element;
};
const duration = (ns) => {
  const micro = Math.trunc(ns / 1000);
  return Math.abs(micro) >= 1e6 ? `${Math.trunc(micro / 1000) / 1000} s` : `${micro / 1000} ms`;
};
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const cut = (text, room) => (text.length > room ? `${text.slice(0, room - 1)}…` : text);

const number = (text) => (text === undefined ? null : Number(text));

const eventOf = (row) => {
  const { lane, ns, connection, stream } = row.dataset;
  const cell = row.cells[2];
  const place = [["wire", "note", "harness", "task"].includes(lane) ? "" : `${lane} `, connection === undefined ? "" : `c${connection} `];
  return {
    lane, ns: number(ns), connection: number(connection), stream: number(stream),
    column: lane === "wire" || lane === "note" ? "wire" : lane === "harness" ? "harness" : "callbacks",
    text: place.join("") + cell.querySelector("span").textContent,
    wanted: cell.querySelector(".wanted")?.textContent ?? null,
    id: cell.querySelector("pre")?.id,
  };
};

/**
 * Events whose times are of one clock, together. Other times begin at notes behind which the time is less than before them:
 * a trace without the server's clock is drawn alone, and then the wire.
 */
const byClock = (events) => {
  const starts = [0];
  let last = -Infinity;
  let notes = null;
  events.forEach((event, index) => {
    if (event.ns === null) {
      if (event.lane === "note") notes ??= index;
      return;
    }
    if (notes !== null && event.ns < last) starts.push(notes);
    notes = null;
    last = event.ns;
  });
  return starts.map((start, index) => events.slice(start, starts[index + 1])).filter((some) => some.length > 0);
};

/** The places of times: to scale within `room` pixels, but for long pauses, each of which has the same small height. */
const scaleOf = (all, room) => {
  const times = [...new Set(all)].sort((one, other) => one - other);
  const gaps = times.slice(1).map((end, index) => ({ start: times[index], end, length: end - times[index] }));
  let total = gaps.reduce((sum, gap) => sum + gap.length, 0);
  let count = gaps.length;
  const folded = new Set();
  for (const gap of [...gaps].sort((one, other) => other.length - one.length).slice(0, foldBound)) {
    // Of a millisecond at least, more than 35 % of what is to scale, and five times as long as the others on average.
    if (gap.length < 1e6 || total <= gap.length || gap.length <= 0.35 * total
      || gap.length * (count - 1) <= 5 * (total - gap.length)) break;
    count -= 1;
    total -= gap.length;
    folded.add(gap);
  }
  const factor = total > 0 ? room / total : 0;
  const folds = [];
  const stretches = [];
  let height = 0;
  const stretch = (start, end) => {
    stretches.push({ start, end, y: height });
    height += Math.round((end - start) * factor);
  };
  let begin = times[0];
  for (const gap of gaps.filter((one) => folded.has(one))) {
    stretch(begin, gap.start);
    folds.push({ length: gap.length, y: height });
    height += foldHeight;
    begin = gap.end;
  }
  stretch(begin, times[times.length - 1]);
  const yOf = (time) => {
    const own = stretches.findLast((one) => one.start <= time) ?? stretches[0];
    return own.y + Math.round((Math.min(Math.max(time, own.start), own.end) - own.start) * factor);
  };
  return { folds, height, yOf, ticks: factor > 0 ? ticksOf(stretches, tickDistance / factor) : [] };
};

/** Round times, 1, 2 or 5 times a power of ten apart, and so far that their labels do not touch. */
const ticksOf = (stretches, least) => {
  let power = 1;
  while (5 * power < least) power *= 10;
  const step = [1, 2, 5].map((factor) => factor * power).find((one) => one >= least);
  return stretches.flatMap(({ start, end }) => {
    const ticks = [];
    for (let time = Math.max(0, Math.ceil(start / step) * step); time <= end; time += step) ticks.push(time);
    return ticks;
  });
};

/** A bar for each connection, then for the streams of the first ones; a connection stands before its streams. */
const barsOf = (events) => {
  const keys = new Map();
  const note = (connection, stream) => keys.set(`${connection}/${stream}`, { connection, stream });
  for (const event of events.filter((one) => one.connection !== null)) {
    note(event.connection, null);
    if (event.stream !== null) note(event.connection, event.stream);
  }
  const before = (one, other) => one.connection - other.connection || (one.stream ?? -1) - (other.stream ?? -1);
  const all = [...keys.values()].sort(before);
  const ranked = [...all.filter((one) => one.stream === null), ...all.filter((one) => one.stream !== null)];
  return { bars: ranked.slice(0, barBound).sort(before), undrawn: ranked.slice(barBound) };
};

const axis = (scale, height) => {
  const group = svg("g", {}, svg("path", { class: "axis", d: `M${axisWidth} ${top}V${height - 6}` }));
  for (const time of scale.ticks) {
    const y = top + scale.yOf(time);
    group.append(svg("path", { class: "axis", d: `M${axisWidth - 5} ${y}h5` }),
      svg("text", { class: "time", x: axisWidth - 8, y: y + 4 }, duration(time)));
  }
  for (const fold of scale.folds) {
    const y = top + fold.y;
    group.append(
      titled(svg("path", { class: "fold", d: `M${axisWidth} ${y + 5}l-5 4 10 4 -10 4 5 4` }), `a pause of ${duration(fold.length)}, folded`),
      svg("text", { class: "time folded", x: axisWidth - 8, y: y + 18 }, `⋮ ${duration(fold.length)}`));
  }
  return group;
};

/** A bar from the first event of its lane to the last one, with a tick for each; `timeY` of the events is known. */
const drawnBar = (bar, x, events) => {
  // A connection's bar is as long as those of its streams.
  const all = events.filter((one) => one.connection === bar.connection && (bar.stream === null || one.stream === bar.stream));
  const from = Math.min(...all.map((one) => one.timeY));
  const ticks = new Set(all.filter((one) => one.stream === bar.stream).map((one) => one.timeY));
  const isStream = bar.stream !== null;
  const title = `connection ${bar.connection}${isStream ? `, stream ${bar.stream}` : ""}`;
  return svg("g", { class: isStream ? "bar stream" : "bar" },
    titled(svg("text", { x, y: top - 14 }, isStream ? `s${bar.stream}` : `c${bar.connection}`), title),
    svg("rect", { x: x - 3, y: from, width: 6, height: Math.max(3, Math.max(...all.map((one) => one.timeY)) - from) }),
    svg("path", { d: [...ticks].map((y) => `M${x - 6} ${y}h12`).join("") }));
};

const drawnEvent = (event, x, room) => {
  const isMarked = event.wanted !== null;
  const group = svg("g", { class: `m ${event.column}${isMarked ? " marked" : ""}` });
  if (isMarked) group.append(svg("rect", { x: x + 12, y: event.textY - 9, width: room - 10, height: 2 * lineHeight, rx: 3 }));
  if (event.textY > event.timeY) group.append(svg("path", { class: "lead", d: `M${x + 4} ${event.timeY}L${x + 16} ${event.textY}` }));
  if (event.lane !== "note") group.append(svg("circle", { cx: x + 4, cy: event.timeY, r: isMarked ? 5 : 3 }));
  const most = Math.max(8, Math.floor((room - 22) / characterWidth));
  const time = event.ns === null ? "" : `${duration(event.ns)} `;
  const line = titled(svg("text", { x: x + 18, y: event.textY + 4 }, (isMarked ? "▶ " : "") + cut(event.text, most)), time + event.text);
  group.append(event.id ? svg("a", { href: `#${event.id}` }, line) : line);
  if (isMarked) {
    group.append(titled(svg("text", { class: "wanted", x: x + 18, y: event.textY + lineHeight + 2 }, cut(event.wanted, most)), event.wanted));
  }
  return group;
};

const drawing = (events, title) => {
  let last = events.find((event) => event.ns !== null)?.ns ?? 0;
  // An event without a time has that of the event before it.
  for (const event of events) last = event.time = event.ns ?? last;
  const scale = scaleOf(events.map((event) => event.time), Math.min(1400, Math.max(100, 13 * events.length)));
  const { bars, undrawn } = barsOf(events);
  const left = axisWidth + bars.length * barDistance + 16;
  const used = Object.keys(shares).filter((column) => events.some((event) => event.column === column));
  const whole = used.reduce((sum, column) => sum + shares[column], 0);
  const places = {};
  let x = left;
  for (const column of used) {
    const room = Math.floor((width - left) * shares[column] / whole);
    places[column] = { x, room: room - columnGap, free: 0 };
    x += room;
  }
  for (const event of events) {
    const place = places[event.column];
    event.timeY = top + scale.yOf(event.time);
    event.textY = Math.max(event.timeY, place.free);
    place.free = event.textY + lineHeight * (event.wanted === null ? 1 : 2);
  }
  const height = Math.max(top + scale.height, ...used.map((column) => places[column].free)) + 12;
  const picture = svg("svg", {
    role: "group", "aria-label": `${title}, time goes down`, width, height, viewBox: `0 0 ${width} ${height}`,
  }, axis(scale, height));
  bars.forEach((bar, index) => picture.append(drawnBar(bar, axisWidth + 12 + index * barDistance, events)));
  for (const column of used) {
    picture.append(svg("text", { class: "lane", x: places[column].x, y: top - 14 }, column),
      svg("path", { class: `rail ${column}`, d: `M${places[column].x + 4} ${top - 4}V${height - 6}` }));
  }
  for (const event of events) picture.append(drawnEvent(event, places[event.column].x, places[event.column].room));
  const streams = undrawn.filter((one) => one.stream !== null).length;
  const rest = [[undrawn.length - streams, "connection"], [streams, "stream"]].filter(([count]) => count > 0);
  return [
    html("div", { class: "drawing", role: "region", "aria-label": title, tabindex: 0 }, picture),
    ...rest.map(([count, word]) => html("p", { class: "soft" }, `${plural(count, word)} more ${count === 1 ? "has" : "have"} no lane.`)),
  ];
};

for (const table of document.querySelectorAll("table.events")) {
  const events = [...table.tBodies[0].rows].map(eventOf);
  const title = table.caption.textContent;
  const clocks = byClock(events);
  const whole = table.closest(".scroll");
  whole.before(...clocks.flatMap((some, index) => drawing(some, clocks.length > 1 ? `${title}, part ${index + 1}` : title)));
  const fold = html("details", {}, html("summary", {}, `${plural(events.length, "event")} as a table, with fields and bytes`));
  whole.before(fold);
  fold.append(whole);
}
// What the page's address leads to may be in a fold now, which a browser opens on the way there.
if (location.hash) location.replace(location.hash);
})();
