// The inputs of the action, read and checked before anything is done.
'use strict';

const runner = require('./runner.js');
const { words } = require('./words.js');

/** Flags of `proctor serve` that the action gives, and the input that decides each. */
const OWN_FLAGS = {
  '--port': 'port', '--journal': 'report-directory', '--ready-file': null, '--strict': 'strict', '--pack': 'pack',
};

function options() {
  const given = {
    fixtures: runner.lines('fixtures'),
    packs: runner.lines('pack'),
    strict: runner.flag('strict'),
    tls: runner.flag('tls'),
    port: runner.number('port', 0, 65_535),
    further: words(runner.input('arguments')),
    reportDirectory: runner.input('report-directory'),
    startSeconds: runner.number('start-timeout', 1, 600),
    stopSeconds: runner.number('stop-timeout', 1, 600),
    program: runner.input('program'),
    version: runner.input('version').replace(/^v/, ''),
    releaseURL: runner.input('release-url'),
  };
  for (const word of given.further) {
    const flag = word.split('=')[0];
    if (!Object.hasOwn(OWN_FLAGS, flag)) continue;
    const instead = OWN_FLAGS[flag] ? `use the input ${OWN_FLAGS[flag]}` : 'leave it out';
    throw new runner.Refusal(`input arguments has ${flag}, which the action gives itself; ${instead}`);
  }
  // It becomes a part of a URL and of a path.
  if (given.version !== '' && !/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(given.version)) {
    throw new runner.Refusal(`input version takes a version such as 0.1.0, not '${given.version}'`);
  }
  return given;
}

/** The words behind `proctor` that serve what was given. */
function serveWords(given, files) {
  const found = ['serve', ...given.fixtures, '--port', String(given.port)];
  found.push('--journal', files.journal, '--ready-file', files.ready);
  for (const pack of given.packs) found.push('--pack', pack);
  if (given.strict) found.push('--strict');
  if (given.tls) found.push('--tls-port', '0', '--ephemeral-ca');
  // A broken fixture of one's own ends the step that starts the server, and not one that comes later.
  if (given.fixtures.length > 0 && !given.further.includes('--check-first')) found.push('--check-first');
  return [...found, ...given.further];
}

module.exports = { options, serveWords };
