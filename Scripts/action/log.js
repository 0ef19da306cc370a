// What the server wrote to standard error: its end, the mistakes of fixtures in it, and the verdict of --strict.
'use strict';

const fs = require('node:fs');

/** Bytes of the end that are read; the verdict with its fifty examples stands there. */
const MOST_BYTES = 1 << 20;

/** The end of the log, from the begin of a line on; '' when there is none. */
function end(file) {
  let descriptor;
  try {
    descriptor = fs.openSync(file, 'r');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
  try {
    const size = fs.fstatSync(descriptor).size;
    const bytes = Buffer.alloc(Math.min(size, MOST_BYTES));
    const count = fs.readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    const text = bytes.toString('utf8', 0, count);
    return size > MOST_BYTES ? `(the first ${size - count} bytes are in ${file})\n${text.slice(text.indexOf('\n') + 1)}` : text;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Mistakes and warnings as `proctor check` writes them: FILE:LINE:COLUMN: error: MESSAGE, or FILE: error: MESSAGE. */
function mistakes(text) {
  const found = [];
  for (const line of text.split('\n')) {
    const match = /^(\S.*?)(?::(\d+):(\d+))?: (error|warning): (.*)$/.exec(line);
    if (!match) continue;
    const [, file, row, column, kind, message] = match;
    found.push({ kind, message, place: row ? { file, line: row, col: column } : { file } });
  }
  return found;
}

/** The verdict of --strict: its sentence, and a line for each fault; null when the log has none. */
function verdict(text) {
  const lines = text.split('\n');
  const index = lines.findLastIndex((line) => /^proctor: strict: (pass|fail): /.test(line));
  if (index < 0) return null;
  const faults = [];
  for (const line of lines.slice(index + 1)) {
    if (!line.startsWith('  ')) break;
    faults.push(line.slice(2));
  }
  return { passed: lines[index].startsWith('proctor: strict: pass: '), sentence: lines[index].slice('proctor: '.length), faults };
}

module.exports = { end, mistakes, verdict };
