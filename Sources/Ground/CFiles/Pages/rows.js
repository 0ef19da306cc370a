// Which row of the drawing each connection, each stream and each lane of callbacks has.

/** Streams of one connection that have rows of their own; further ones share the last. */
const streamBound = 24;

const endsStream = (entry) => entry.ev === "replySent" || entry.ev === "replyAborted"
  || entry.ev === "frame" && entry.type === "RST_STREAM";

export class Rows {
  /** Rows beyond `bound` are the last one. */
  constructor(bound) {
    this.bound = bound;
    this.clear();
  }

  clear() {
    /** One after the other: the rows of a connection, or of callbacks, with the streams in their rows. */
    this.groups = [];
    this.groupOf = new Map();
    this.free = [];
    this.count = 0;
  }

  /** Gives an item its place, which says its group and how far below the group's first row it stands. */
  take(item) {
    const { entry } = item;
    const isCallback = entry.ev === "callback";
    const key = isCallback ? entry.lane : entry.connection;
    if (key === undefined) return;
    const group = this.groupOf.get(key) ?? this.begin(key, isCallback ? entry.lane : null);
    const known = item.stream === undefined ? 0 : group.rowOf.get(item.stream);
    item.rows = { group, below: known ?? this.beginStream(group, item.stream) };
    if (item.stream !== undefined && endsStream(entry)) this.endStream(group, item.stream);
    // The rows of a connection are given out again as soon as it has ended.
    if (entry.ev === "connectionClosed" && this.count < this.bound) this.free.push(group);
  }

  begin(key, name) {
    // A row of callbacks is no connection's, before or after it.
    let group = name === null ? this.free.shift() : undefined;
    if (group) {
      group.rowOf = new Map();
      group.idle = group.streams.map((_, index) => index + 1);
    } else if (this.count >= this.bound) {
      group = this.groups[this.groups.length - 1];
    } else {
      group = { number: this.groups.length + 1, name, first: 0, streams: [], rowOf: new Map(), idle: [] };
      this.groups.push(group);
      this.arrange();
    }
    this.groupOf.set(key, group);
    return group;
  }

  /** The row of a stream: one whose stream has ended, or a new one. */
  beginStream(group, stream) {
    let row = group.idle.shift();
    if (row === undefined) {
      if (group.streams.length < streamBound && this.count < this.bound) {
        group.streams.push([]);
        this.arrange();
      }
      row = group.streams.length;
    }
    group.rowOf.set(stream, row);
    // The first and whether there are others is all that the name says.
    if (row > 0 && group.streams[row - 1].length < 2) group.streams[row - 1].push(stream);
    return row;
  }

  /** What still comes of the stream stands where it was; the row is free for another. */
  endStream(group, stream) {
    const row = group.rowOf.get(stream);
    if (row > 0 && !group.idle.includes(row)) group.idle.push(row);
  }

  arrange() {
    this.count = 0;
    for (const group of this.groups) {
      group.first = this.count;
      this.count += 1 + group.streams.length;
    }
  }

  /** The row of an item; what belongs to no connection stands in the row behind all others. */
  of(item) {
    return item.rows ? item.rows.group.first + item.rows.below : this.count;
  }

  /** The first row of a connection. */
  ofConnection(connection) {
    return this.groupOf.get(connection)?.first ?? 0;
  }

  /** What stands before each row, in order. */
  get names() {
    return this.groups.flatMap((group) => [
      group.name ?? `${group.number}`,
      ...group.streams.map((streams) => (streams.length > 1 ? `s${streams[0]}…` : `s${streams[0]}`)),
    ]);
  }
}
