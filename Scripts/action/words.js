// The words of a command line, without a shell: nothing is expanded.
'use strict';

const { Refusal } = require('./runner.js');

/**
 * Splits at blanks and line ends. Single quotes keep all, double quotes all but a backslash before " and \, and a
 * backslash elsewhere keeps the character behind it.
 */
function words(text) {
  const found = [];
  let word = null;
  let quote = null;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    const next = text[index + 1];
    if (quote !== null && character === quote) {
      quote = null;
    } else if (character === '\\' && quote !== "'" && (quote === null || next === '"' || next === '\\')) {
      if (next === undefined) throw new Refusal('input arguments ends with a backslash; two give one');
      word = (word ?? '') + next;
      index += 1;
    } else if (quote === null && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (quote === null && /\s/.test(character)) {
      if (word !== null) found.push(word);
      word = null;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== null) throw new Refusal(`input arguments has a ${quote} without its second one`);
  if (word !== null) found.push(word);
  return found;
}

module.exports = { words };
