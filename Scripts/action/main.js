// Starts the server, and tells later steps where it is.
'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const log = require('./log.js');
const { options, serveWords } = require('./options.js');
const { findProgram } = require('./program.js');
const report = require('./report.js');
const runner = require('./runner.js');
const server = require('./server.js');

/** Why there is no ready line; `outcome` is how the server ended, or null when it runs and was not ready in time. */
function refusal(outcome, given, said) {
  const what = outcome === null
    ? `was not ready after ${given.startSeconds} s (input start-timeout)`
    : `did not start: it ended with ${outcome.code ?? 'a signal that nobody saw'}`;
  return new runner.Refusal(`proctor ${what}${said ? `:\n${said}` : ', and said nothing'}`);
}

async function main() {
  const given = options();
  const folder = fs.mkdtempSync(path.join(process.env.RUNNER_TEMP || os.tmpdir(), 'proctor-'));
  const reports = given.reportDirectory ? path.resolve(given.reportDirectory) : folder;
  fs.mkdirSync(reports, { recursive: true });
  const files = {
    journal: path.join(reports, 'journal.jsonl'), log: path.join(reports, 'log.txt'), ready: path.join(folder, 'ready.json'),
  };
  const program = await findProgram(given, path.join(folder, 'release'));
  console.log(`proctor ${program.version} (${program.source}): ${program.file}`);

  const words = serveWords(given, files);
  console.log(`proctor ${words.join(' ')}`);
  // Whoever cancels the step leaves nothing that runs. A signal that comes while the server starts waits until this step does.
  let running = null;
  for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]]) {
    process.once(signal, () => {
      if (running) server.kill(running);
      process.exit(code);
    });
  }
  running = server.start(program.file, words, folder, files.log);
  const state = {
    ...running, journal: files.journal, log: files.log, fixtures: given.fixtures.map((name) => path.resolve(name)),
    stopSeconds: given.stopSeconds,
  };
  const line = await server.ready(running, files.ready, given.startSeconds);
  if (line?.base === undefined) {
    server.kill(running);
    const text = log.end(files.log);
    report.annotate(log.mistakes(text), [], []);
    throw refusal(line, given, text.split('\n').slice(-40).join('\n').trim());
  }
  runner.saveState('server', JSON.stringify(state));
  announce(line, files, program);
}

/** `line` is the ready line. */
function announce(line, files, program) {
  const count = `${line.scenarios} scenario${line.scenarios === 1 ? '' : 's'}`;
  console.log(`ready: ${count} at ${[line.base, line.tls].filter(Boolean).join(' and ')}`);
  runner.exportVariable('PROCTOR_SERVER', line.base);
  runner.setOutput('base', line.base);
  if (line.tls) runner.setOutput('tls', line.tls);
  if (line.ca) {
    runner.exportVariable('PROCTOR_CA', line.ca);
    runner.setOutput('ca', line.ca);
  }
  runner.setOutput('journal', files.journal);
  runner.setOutput('log', files.log);
  runner.exportVariable('PROCTOR_BINARY', program.file);
  if (path.basename(program.file) === 'proctor') runner.addPath(path.dirname(program.file));
}

runner.run(main);
