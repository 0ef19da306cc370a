// Which proctor is run: the one that was named, one in PATH, or that of a release.
'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { Refusal } = require('./runner.js');
const { install } = require('./release.js');

/** The absolute path of a program that runs, and its version. `folder` is where a release is unpacked. */
async function findProgram(given, folder) {
  if (given.program !== '') return started(path.resolve(given.program), 'input program');
  const present = inPath();
  if (present) {
    const found = started(present, 'PATH');
    if (given.version === '' || found.version === given.version) return found;
    console.log(`${present} is proctor ${found.version}, and ${given.version} is wanted`);
  }
  return started(await install(given.version, given.releaseURL, folder), 'the release');
}

function inPath() {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    const file = path.join(folder, 'proctor');
    try {
      fs.accessSync(file, fs.constants.X_OK);
      if (fs.statSync(file).isFile()) return file;
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}

/** Asks the program for its version, which shows that it runs here. */
function started(file, source) {
  let said;
  try {
    said = execFileSync(file, ['version'], { timeout: 30_000, stdio: 'pipe' }).toString('utf8');
  } catch (error) {
    const reason = String(error.stderr ?? '').trim() || error.message;
    throw new Refusal(`${file} (${source}) can't be run: ${reason}`);
  }
  const match = /^proctor (\S+)\s*$/.exec(said);
  if (!match) throw new Refusal(`${file} (${source}) is not proctor: 'version' prints '${said.slice(0, 100).trim()}'`);
  return { file, source, version: match[1] };
}

module.exports = { findProgram };
