// Connections as lanes over time, with a lane for each stream of HTTP/2 below that of its connection, on a canvas.
import { duration } from "./dom.js";
import { Rows } from "./rows.js";

const laneHeight = 24;
const axisHeight = 22;
const leftWidth = 46;
/** Marks that one drawing has; what is beyond it is left out, and the page says so. */
const markBound = 6_000;
/** Lanes; what is beyond them shares the last one. */
const laneBound = 200;

export class Lanes {
  /** `pick(item)` is called for what is clicked or reached by keyboard. */
  constructor(canvas, entries, pick) {
    this.canvas = canvas;
    this.entries = entries;
    this.pick = pick;
    this.folds = true;
    this.follows = true;
    this.start = 0;
    this.scale = 1;
    this.chosen = null;
    this.words = [];
    this.thinnedCount = 0;
    this.spots = [];
    this.version = -1;
    this.rows = new Rows(laneBound);
    this.laidOut = 0;
    this.hasOther = false;
    this.pending = false;
    canvas.addEventListener("pointerdown", (event) => this.pressed(event));
    canvas.addEventListener("pointermove", (event) => this.moved(event));
    canvas.addEventListener("pointerup", (event) => this.released(event));
    canvas.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  get width() { return Math.max(60, this.canvas.clientWidth - leftWidth - 8); }

  get end() {
    const last = this.entries.all[this.entries.all.length - 1];
    return last ? this.place(last) : 0;
  }

  place(item) { return this.entries.place(item, this.folds); }

  /** Draws with the next frame, however often it is called before. */
  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.paint();
    });
  }

  fit() {
    const first = this.entries.all[0];
    const begin = first ? this.place(first) : 0;
    this.start = begin;
    this.scale = this.width / Math.max(5, (this.end - begin) * 1.03);
    this.draw();
  }

  zoom(factor, at = this.width / 2) {
    const time = this.start + at / this.scale;
    this.scale = Math.min(2000, Math.max(1e-5, this.scale * factor));
    this.start = time - at / this.scale;
    this.follows = false;
    this.draw();
  }

  pan(pixels) {
    this.start += pixels / this.scale;
    this.follows = false;
    this.draw();
  }

  /** Brings an item into view. */
  show(item) {
    this.chosen = item;
    const x = (this.place(item) - this.start) * this.scale;
    if (x < 0 || x > this.width) {
      this.start = this.place(item) - this.width / 2 / this.scale;
      this.follows = false;
    }
    this.draw();
  }

  layOut() {
    const { all, version } = this.entries;
    if (this.version !== version) {
      this.version = version;
      this.rows.clear();
      this.laidOut = 0;
      this.hasOther = false;
    }
    for (; this.laidOut < all.length; this.laidOut += 1) {
      const item = all[this.laidOut];
      item.rows = undefined;
      this.rows.take(item);
      if (!item.rows) this.hasOther = true;
    }
  }

  paint() {
    this.layOut();
    if (this.follows) {
      // The newest entry stays in view; the scale grows only as long as everything fits.
      const first = this.entries.all[0];
      const begin = first ? this.place(first) : 0;
      const whole = this.width / Math.max(5, (this.end - begin) * 1.03);
      if (whole > 0.02 || !first) {
        this.scale = Math.min(whole, 60);
        this.start = begin;
      } else {
        this.scale = Math.max(this.scale, 0.02);
        this.start = this.end - (this.width - 12) / this.scale;
      }
    }
    const canvas = this.canvas;
    const lanes = this.rows.count + (this.hasOther ? 1 : 0);
    const height = axisHeight + Math.max(2, lanes) * laneHeight + 4;
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.style.height = `${height}px`;
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const colours = {
      ink: colour("ink"), soft: colour("soft"), line: colour("line"), request: colour("wire"),
      reply: colour("reply"), effect: colour("callbacks"), fault: colour("marked"), tls: colour("tls"),
      open: colour("soft"), close: colour("soft"), note: colour("soft"), callback: colour("callbacks"),
      state: colour("soft"), chosen: colour("link"), frameIn: colour("wire"), frameOut: colour("reply"),
    };
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    this.paintLanes(context, lanes, width, colours);
    this.paintTime(context, height, colours);
    context.save();
    context.beginPath();
    context.rect(leftWidth, 0, width - leftWidth, height);
    context.clip();
    this.paintEntries(context, colours);
    context.restore();
  }

  top(lane) { return axisHeight + lane * laneHeight; }

  paintLanes(context, lanes, width, colours) {
    context.strokeStyle = colours.line;
    context.fillStyle = colours.soft;
    context.textAlign = "right";
    const { names } = this.rows;
    for (let lane = 0; lane < lanes; lane += 1) {
      const y = this.top(lane) + laneHeight / 2;
      context.beginPath();
      context.moveTo(leftWidth, y + 0.5);
      context.lineTo(width, y + 0.5);
      context.stroke();
      context.fillText(names[lane] ?? "other", leftWidth - 8, y, leftWidth - 10);
    }
  }

  /** The index of the first item that stands at or behind a place. */
  indexAt(place) {
    const { all } = this.entries;
    let low = 0;
    let high = all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.place(all[middle]) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  paintTime(context, height, colours) {
    const { all } = this.entries;
    context.fillStyle = colours.soft;
    context.strokeStyle = colours.line;
    context.textAlign = "left";
    let last = -Infinity;
    for (let x = 0; x < this.width; x += 20) {
      const item = all[this.indexAt(this.start + x / this.scale)];
      if (!item) break;
      const at = leftWidth + (this.place(item) - this.start) * this.scale;
      if (at - last < 90 || at < leftWidth || at > this.canvas.clientWidth - 40) continue;
      last = at;
      context.fillText(duration(item.time), at + 3, axisHeight / 2);
      context.beginPath();
      context.moveTo(Math.round(at) + 0.5, 4);
      context.lineTo(Math.round(at) + 0.5, axisHeight);
      context.stroke();
    }
  }

  paintEntries(context, colours) {
    const { all } = this.entries;
    const from = Math.max(0, this.indexAt(this.start) - 1);
    const to = Math.min(all.length, this.indexAt(this.start + this.width / this.scale) + 1);
    // Spans may begin before what is in view, but a long way back they are not looked for.
    const back = Math.max(0, from - 2_000);
    const opened = new Map();
    const asked = new Map();
    const drawn = new Set();
    this.spots = [];
    let marks = 0;
    let thinned = 0;
    const at = (item) => leftWidth + (this.place(item) - this.start) * this.scale;
    const bar = (lane, x1, x2, size, colour, alpha = 1) => {
      context.globalAlpha = alpha;
      context.fillStyle = colour;
      const y = this.top(lane) + (laneHeight - size) / 2;
      context.fillRect(x1, y, Math.max(1.5, x2 - x1), size);
      context.globalAlpha = 1;
    };
    for (let index = back; index < to; index += 1) {
      const item = all[index];
      const { entry, kind } = item;
      const lane = this.rows.of(item);
      const x = at(item);
      if (item.isFolded && this.folds && index > from) this.paintFold(context, item, x, colours);
      if (entry.connection !== undefined) {
        const key = `${entry.connection}/${entry.request}`;
        if (entry.ev === "connectionOpened") opened.set(entry.connection, x);
        if (entry.ev === "requestHead") asked.set(key, { x, lane, isFault: false });
        if (kind === "fault" && asked.has(key)) asked.get(key).isFault = true;
        if (entry.ev === "replySent" || entry.ev === "replyAborted") {
          const begun = asked.get(key);
          asked.delete(key);
          if (begun && marks < markBound) {
            bar(begun.lane, begun.x, x, 12, begun.isFault ? colours.fault : colours.reply, 0.35);
            marks += 1;
          }
        }
        if (entry.ev === "connectionClosed") {
          bar(lane, opened.get(entry.connection) ?? leftWidth, x, 3, colours.soft);
          opened.delete(entry.connection);
        }
      }
      if (index < from) continue;
      if (this.words.length && !item.isMatch) continue;
      // Marks of one kind that fall on one pixel are one mark.
      const pixel = `${lane} ${kind} ${Math.round(x / 2)}`;
      if (drawn.has(pixel) && item !== this.chosen) {
        thinned += 1;
        continue;
      }
      if (marks >= markBound && kind !== "fault") {
        thinned += 1;
        continue;
      }
      drawn.add(pixel);
      marks += 1;
      this.paintMark(context, item, kind, x, lane, colours);
      this.spots.push({ x, lane, item });
    }
    const rightEnd = at({ time: this.entries.all[all.length - 1]?.time ?? 0, place: this.end });
    for (const [connection, x] of opened) bar(this.rows.ofConnection(connection), x, rightEnd, 3, colours.soft);
    for (const begun of asked.values()) {
      bar(begun.lane, begun.x, rightEnd, 12, begun.isFault ? colours.fault : colours.request, 0.25);
    }
    this.thinnedCount = thinned;
  }

  paintFold(context, item, x, colours) {
    const from = x - item.width * this.scale;
    if (x - from < 14) return;
    context.fillStyle = colours.soft;
    context.textAlign = "center";
    if (x - from > 44) context.fillText(`⋯ ${duration(item.pause)}`, (x + from) / 2, this.top(0) + 1);
    else context.fillText("⋯", (x + from) / 2, this.top(0) + 1);
    context.textAlign = "left";
  }

  paintMark(context, item, kind, x, lane, colours) {
    const y = this.top(lane) + laneHeight / 2;
    context.fillStyle = colours[kind] || colours.soft;
    context.beginPath();
    if (kind === "fault") {
      context.moveTo(x, y - 8);
      context.lineTo(x + 6, y + 4);
      context.lineTo(x - 6, y + 4);
    } else if (kind === "effect" || kind === "callback" || kind === "state") {
      context.moveTo(x, y - 6);
      context.lineTo(x + 5, y);
      context.lineTo(x, y + 6);
      context.lineTo(x - 5, y);
    } else if (kind === "request") {
      context.rect(x - 1.5, y - 8, 3, 16);
    } else if (kind === "open" || kind === "close") {
      context.arc(x, y, 4, 0, 2 * Math.PI);
    } else if (kind === "frameIn") {
      // What comes stands above the line, what goes out below it.
      context.rect(x - 1, y - 8, 2, 7);
    } else if (kind === "frameOut") {
      context.rect(x - 1, y + 1, 2, 7);
    } else if (kind === "tls") {
      context.rect(x - 3, y - 3, 6, 6);
    } else {
      context.rect(x - 1, y - 6, 2, 12);
    }
    context.closePath();
    context.fill();
    if (item === this.chosen) {
      context.strokeStyle = colours.chosen;
      context.lineWidth = 2;
      context.strokeRect(x - 8, y - 11, 16, 22);
      context.lineWidth = 1;
    }
  }

  // By pointer: drag to pan, click to pick, wheel with Control to zoom.

  pressed(event) {
    this.press = { x: event.clientX, start: this.start, moved: false };
    this.canvas.setPointerCapture(event.pointerId);
  }

  moved(event) {
    if (!this.press) return this.told(event);
    const way = event.clientX - this.press.x;
    if (Math.abs(way) > 4) this.press.moved = true;
    if (!this.press.moved) return;
    this.start = this.press.start - way / this.scale;
    this.follows = false;
    this.draw();
    return undefined;
  }

  /** Says what is under the pointer. */
  told(event) {
    const spot = this.spotAt(event);
    const title = spot ? `${duration(spot.item.time)}  ${spot.item.sentence}` : "";
    if (this.canvas.title !== title) this.canvas.title = title;
  }

  spotAt(event) {
    const box = this.canvas.getBoundingClientRect();
    return this.nearest(event.clientX - box.left, event.clientY - box.top);
  }

  released(event) {
    const press = this.press;
    this.press = null;
    if (!press || press.moved) return;
    const spot = this.spotAt(event);
    if (spot) this.pick(spot.item);
  }

  wheeled(event) {
    if (!event.ctrlKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
    event.preventDefault();
    if (event.ctrlKey) {
      this.zoom(Math.exp(-event.deltaY / 300), event.clientX - this.canvas.getBoundingClientRect().left - leftWidth);
    } else {
      this.pan(event.deltaX);
    }
  }

  nearest(x, y) {
    let best = null;
    let least = 20 * 20;
    for (const spot of this.spots) {
      const way = (spot.x - x) ** 2 + (this.top(spot.lane) + laneHeight / 2 - y) ** 2;
      if (way < least) [best, least] = [spot, way];
    }
    return best;
  }
}
