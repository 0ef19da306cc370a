// The program of a release: downloaded, held against its sum, unpacked.
'use strict';

const { execFileSync } = require('node:child_process');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');
const { fileURLToPath } = require('node:url');
const { Refusal } = require('./runner.js');

/** Bytes; the tarball of 0.1.0 has 12 million. */
const MOST_BYTES = 128 << 20;
/** Milliseconds for one attempt. */
const ATTEMPT = 120_000;
/** Milliseconds before the second attempt and the third. */
const PAUSES = [1_000, 3_000];
/** As names of releases spell the architectures of Node. */
const ARCHITECTURES = { x64: 'x86_64', arm64: 'aarch64' };

const WITHOUT = "build it with 'make release', and give its path as input program";

/** The version that the sources beside this file say; those of a tag are the sources of its release. */
function ownVersion() {
  const file = path.join(__dirname, '../../Sources/Command/proctor/Commands/CommandLine.swift');
  const match = /static let version = "([^"]+)"/.exec(fs.readFileSync(file, 'utf8'));
  if (!match) throw new Error(`${file} says no version`);
  return match[1];
}

/** The path of a program of that version ('' for the action's own), unpacked into `folder`. */
async function install(version, releaseURL, folder) {
  const wanted = version || ownVersion();
  const architecture = ARCHITECTURES[process.arch];
  if (process.platform !== 'linux' || architecture === undefined) {
    throw new Refusal(
      `releases have a program for Linux on x86_64 and aarch64, and this is ${process.platform} on ${process.arch}: ${WITHOUT}`);
  }
  const place = folderOf(wanted, releaseURL);
  const name = `proctor-${wanted}-${architecture}`;
  console.log(`downloading ${name}.tar.gz from ${place}`);
  const sums = (await download(new URL(`SHA256SUMS-${architecture}`, place))).toString('utf8');
  const packed = await download(new URL(`${name}.tar.gz`, place));
  verify(packed, `${name}.tar.gz`, sums);
  fs.mkdirSync(folder, { recursive: true });
  const tarball = path.join(folder, `${name}.tar.gz`);
  fs.writeFileSync(tarball, packed);
  try {
    execFileSync('tar', ['-xzf', tarball, '-C', folder, `${name}/proctor`], { timeout: 60_000, stdio: 'pipe' });
  } catch (error) {
    throw new Refusal(`${name}.tar.gz can't be unpacked: ${String(error.stderr ?? '').trim() || error.message}`);
  }
  fs.rmSync(tarball);
  return path.join(folder, name, 'proctor');
}

/** URL of the folder that holds the files of the release. */
function folderOf(version, releaseURL) {
  const repository = process.env.GITHUB_ACTION_REPOSITORY;
  if (!releaseURL && !repository) {
    throw new Refusal(`an action of the workspace itself has no releases: ${WITHOUT}, or give a release-url`);
  }
  const server = process.env.GITHUB_SERVER_URL || 'https://github.com';
  const text = releaseURL || `${server}/${repository}/releases/download/v${version}`;
  if (!URL.canParse(text) || !/^(https?|file):$/.test(new URL(text).protocol)) {
    throw new Refusal(`input release-url takes a URL of http, https or file, not '${text}'`);
  }
  return new URL(text.endsWith('/') ? text : `${text}/`);
}

/** The bytes at a URL; what may pass by itself is tried three times. */
async function download(url) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await fetchOnce(url);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const reason = error.cause?.message ?? error.message;
      if (attempt === PAUSES.length) {
        throw new Refusal(`${url} can't be downloaded: ${reason}, in ${attempt + 1} attempts; ${WITHOUT}`);
      }
      console.log(`${url}: ${reason}; once more in ${PAUSES[attempt] / 1_000} s`);
      await pause(PAUSES[attempt]);
    }
  }
}

async function fetchOnce(url) {
  if (url.protocol === 'file:') {
    try {
      return fs.readFileSync(fileURLToPath(url));
    } catch (error) {
      throw new Refusal(`${url} can't be read: ${error.message}`);
    }
  }
  const response = await fetch(url, { signal: AbortSignal.timeout(ATTEMPT) });
  if (response.status === 429 || response.status >= 500) throw new Error(`status ${response.status}`);
  if (response.status !== 200) {
    throw new Refusal(
      `${url} answers ${response.status}: is there such a release? Input version can name another; or ${WITHOUT}`);
  }
  const pieces = [];
  let byteCount = 0;
  for await (const piece of response.body) {
    byteCount += piece.length;
    if (byteCount > MOST_BYTES) throw new Refusal(`${url} has more than ${MOST_BYTES} bytes, which no release has`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** `sums` has lines as sha256sum writes them. */
function verify(bytes, name, sums) {
  const line = sums.split('\n').map((text) => /^([0-9a-f]{64}) [ *](.+)$/.exec(text)).find((match) => match?.[2] === name);
  if (!line) throw new Refusal(`the sums of the release do not name ${name}`);
  const sum = crypto.createHash('sha256').update(bytes).digest('hex');
  if (sum !== line[1]) {
    throw new Refusal(`${name} has the SHA-256 ${sum}, and the sums of the release say ${line[1]}: nothing of it was run`);
  }
}

module.exports = { install };
