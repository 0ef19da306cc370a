// Ends the server, and says what it made of its requests.
'use strict';

const journal = require('./journal.js');
const log = require('./log.js');
const report = require('./report.js');
const runner = require('./runner.js');
const server = require('./server.js');

async function post() {
  const saved = runner.state('server');
  // The step that starts it has failed, and has said why.
  if (saved === '') return;
  const state = JSON.parse(saved);
  const end = await server.stop(state, state.stopSeconds);
  if (end.early) console.log('proctor had ended before the job did');
  const text = log.end(state.log);
  runner.group('Log of proctor', text || '(nothing)');
  const verdict = log.verdict(text);
  const mistakes = log.mistakes(text);
  const failure = report.failure(end, verdict, mistakes, state);
  report.annotate(mistakes, verdict?.faults ?? [], state.fixtures);
  runner.summarize(report.summary(failure, verdict, mistakes, await journal.counts(state.journal), state));
  if (failure !== null) runner.fail(failure);
  else console.log(verdict ? `proctor: ${verdict.sentence}` : 'proctor ended as it should');
}

runner.run(post);
