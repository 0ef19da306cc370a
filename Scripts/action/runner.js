// What an action and GitHub's runner tell each other: inputs, files of commands, and commands on standard output.
'use strict';

const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

/** A mistake whose message is all that a person needs to read. */
class Refusal extends Error {}

/** The text of an input without blanks around it, "" where none was given. */
function input(name) {
  return (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
}

/** The lines of an input that are not empty. */
function lines(name) {
  return input(name).split('\n').map((line) => line.trim()).filter((line) => line !== '');
}

/** An input that is true or false, as YAML 1.2 spells them. */
function flag(name) {
  const text = input(name);
  if (/^(true|True|TRUE)$/.test(text)) return true;
  if (/^(false|False|FALSE)$/.test(text)) return false;
  throw new Refusal(`input ${name} takes true or false, not '${text}'`);
}

/** An input that is a whole number from `least` to `most`. */
function number(name, least, most) {
  const text = input(name);
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= least && value <= most) return value;
  throw new Refusal(`input ${name} takes a whole number from ${least} to ${most}, not '${text}'`);
}

/** Appends text to the file that the variable names. */
function append(variable, text) {
  const file = process.env[variable];
  if (!file) throw new Refusal(`${variable} is not set: this program is started by GitHub's runner, through action.yml`);
  fs.appendFileSync(file, text);
}

/** `name` and a value of any text, between delimiters that nobody can guess. */
function record(name, value) {
  const mark = `end-${crypto.randomUUID()}`;
  return `${name}<<${mark}\n${value}\n${mark}\n`;
}

const setOutput = (name, value) => append('GITHUB_OUTPUT', record(name, value));
const exportVariable = (name, value) => append('GITHUB_ENV', record(name, value));
const addPath = (folder) => append('GITHUB_PATH', `${folder}\n`);
const saveState = (name, value) => append('GITHUB_STATE', record(name, value));
const state = (name) => process.env[`STATE_${name}`] ?? '';
const summarize = (text) => append('GITHUB_STEP_SUMMARY', text);

const escaped = (text) => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
const escapedProperty = (text) => escaped(String(text)).replace(/:/g, '%3A').replace(/,/g, '%2C');

/**
 * Shows a message beside the job: `kind` is error, warning or notice, `place` may have file, line, col and title.
 * Files are named from the workspace on, as GitHub wants them.
 */
function annotate(kind, message, place = {}) {
  const named = { ...place };
  if (named.file) named.file = path.relative(process.env.GITHUB_WORKSPACE || process.cwd(), path.resolve(named.file));
  const properties = Object.entries(named).map(([key, value]) => `${key}=${escapedProperty(value)}`).join(',');
  console.log(`::${kind}${properties ? ` ${properties}` : ''}::${escaped(message)}`);
}

/** Prints text, folded under a title; what looks like a command in it is none. */
function group(title, text) {
  const token = crypto.randomUUID();
  console.log(`::group::${escaped(title)}`);
  console.log(`::stop-commands::${token}`);
  console.log(text.replace(/\n$/, ''));
  console.log(`::${token}::`);
  console.log('::endgroup::');
}

/** The step fails with this message. */
function fail(message) {
  annotate('error', message);
  process.exitCode = 1;
}

/** Runs the step; a refusal is its message, any other error has its stack. */
async function run(step) {
  try {
    await step();
  } catch (error) {
    fail(error instanceof Refusal ? error.message : String(error?.stack ?? error));
  }
}

module.exports = {
  Refusal, input, lines, flag, number, setOutput, exportVariable, addPath, saveState, state, summarize, annotate, group,
  fail, run,
};
