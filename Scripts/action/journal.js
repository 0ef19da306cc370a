// What a journal says in numbers.
'use strict';

const fs = require('node:fs');
const readline = require('node:readline');

/** Bytes that are read; more lines are not counted. */
const MOST_BYTES = 1 << 28;

/** Within a line of JSON these bytes stand nowhere else: in a text, quotes have a backslash. */
const EVENTS = { requests: '"ev":"requestHead"', missed: '"ev":"missed"', departures: '"ev":"violation"' };

/** Requests to scenarios, requests that were missed, departures from the RFCs; null when there is no journal. */
async function counts(file) {
  if (!fs.existsSync(file)) return null;
  const found = { requests: 0, missed: 0, departures: 0, whole: fs.statSync(file).size <= MOST_BYTES };
  const input = fs.createReadStream(file, { encoding: 'utf8', end: MOST_BYTES - 1 });
  for await (const line of readline.createInterface({ input, crlfDelay: Infinity })) {
    for (const [name, event] of Object.entries(EVENTS)) {
      if (!line.includes(event)) continue;
      // Requests for pages and control calls belong to no scenario.
      if (name !== 'requests' || line.includes('"scenario":"')) found[name] += 1;
    }
  }
  return found;
}

module.exports = { counts };
