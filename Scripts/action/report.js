// What the end of a server becomes: annotations, the summary of the step, and the sentence that fails it.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const runner = require('./runner.js');

/** GitHub shows ten errors of a step; the last one is the verdict. */
const MOST_ANNOTATIONS = 9;
/** Characters of one fault in the summary, which has a bound of 1 MiB. */
const MOST_CHARACTERS = 1_000;

/** Shows mistakes of fixtures at their lines, then requests that were missed at their scenarios. */
function annotate(mistakes, faults, fixtures) {
  const all = mistakes.map(({ kind, message, place }) =>
    fs.existsSync(place.file)
      ? { kind, message, place: { ...place, title: 'Proctor: fixture' } }
      : { kind, message: `${place.file}: ${message}`, place: { title: 'Proctor: fixture' } });
  for (const fault of faults) {
    const file = fixtureOf(fault, fixtures);
    all.push({ kind: 'error', message: fault, place: { ...(file && { file }), title: 'Proctor: request' } });
  }
  for (const { kind, message, place } of all.slice(0, MOST_ANNOTATIONS)) runner.annotate(kind, message, place);
}

/** The file of the scenario whose id the fault begins with, where it is one of the workspace. */
function fixtureOf(fault, fixtures) {
  const id = /^([^\s:]+): /.exec(fault)?.[1];
  if (id === undefined || id.split('/').includes('..')) return null;
  for (const place of fixtures) {
    for (const extension of ['yaml', 'yml', 'json']) {
      const file = path.join(place, `${id}.${extension}`);
      if (fs.existsSync(file)) return file;
    }
    if (path.parse(place).name === id && fs.statSync(place, { throwIfNoEntry: false })?.isFile()) return place;
  }
  return null;
}

/** Why the step fails, in one sentence; null when it does not. */
function failure(end, verdict, mistakes, state) {
  if (end.killed) {
    return `proctor did not end within ${state.stopSeconds} s of SIGTERM and was killed; a longer stop-timeout may help, `
      + 'and --grace among the arguments bounds what replies may take';
  }
  if (end.code === null) return 'proctor was killed before the job ended; nobody knows its verdict';
  if (end.code === 0) return null;
  if (verdict && !verdict.passed) return `proctor: ${verdict.sentence}`;
  if (end.code > 128) return `proctor was ended by signal ${end.code - 128}`;
  const errors = mistakes.filter(({ kind }) => kind === 'error').length;
  if (errors > 0) return `proctor ended with ${end.code}: fixtures have ${errors} error${errors === 1 ? '' : 's'}`;
  return `proctor ended with ${end.code}; its last lines stand in the log above`;
}

const html = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const shortened = (text) => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} …` : text);

/** The summary in Markdown. */
function summary(failure, verdict, mistakes, counts, state) {
  const parts = [`### Proctor: ${failure === null ? 'pass' : 'fail'}`];
  if (failure !== null) parts.push(html(failure));
  else if (verdict) parts.push(html(verdict.sentence));
  else parts.push('The server ended as it should; without <code>strict</code> requests are not judged.');
  const lines = mistakes.map(({ kind, message, place }) =>
    `${place.file}${place.line ? `:${place.line}:${place.col}` : ''}: ${kind}: ${message}`);
  lines.push(...(verdict?.faults ?? []));
  if (lines.length > 0) parts.push(`<pre>${lines.slice(0, 100).map((line) => html(shortened(line))).join('\n')}</pre>`);
  if (counts) {
    parts.push(
      '| requests to scenarios | missed | departures from the RFCs |\n|--:|--:|--:|\n'
      + `| ${counts.requests} | ${counts.missed} | ${counts.departures} |`);
    if (!counts.whole) parts.push('The journal is long: its first 256 MiB were counted.');
  }
  parts.push(`Journal: <code>${html(state.journal)}</code>, log: <code>${html(state.log)}</code>`);
  return `${parts.join('\n\n')}\n`;
}

module.exports = { annotate, failure, summary };
