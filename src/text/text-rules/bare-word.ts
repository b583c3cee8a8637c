import { spellingOf } from '../../json/key-spelling.ts';
import { wordsInName } from '../../json/nearest-name.ts';
import { type TextRule, readObject, skip } from '../text-rule.ts';

/**
 * Models send one word without quotes as the value of the only parameter, which takes strings:
 * `{query: test}`.
 * Becomes the word as a string; the model gets a note.
 * Not when: the word is the name of a type, stands for a value that is left out (none, value, your)
 * or has the words of the parameter’s own name; a dot, an underscore, `$` or a capital inside it,
 * as in the name of a variable; another member; a destructive tool.
 */
export const bareWord: TextRule = {
  id: 'bare_word',
  keeps: 'lossy',
  propose({ text, textParameter: parameter }) {
    if (parameter?.isAlone !== true) return skip;
    const { key = '', word = '' } = onlyMember.exec(text)?.groups ?? {};
    if (word === '' || spellingOf(key) !== spellingOf(parameter.name)) return skip;
    return standsForValue(word, parameter.name)
      ? skip
      : { ...readObject({ [key]: word }), notes: true };
  },
};

/** A capital inside a word makes it a name in code. */
const onlyMember =
  /^\s*\{\s*(?<quote>["']?)(?<key>[\p{L}_$][\p{L}\p{M}\p{N}_$-]{0,63})\k<quote>\s*:\s*(?<word>\p{L}[\p{Ll}\p{Lo}\p{M}\p{N}-]{0,63})\s*,?\s*\}\s*$/u;

/** Names of types, and what templates have in the place of a value. */
const placeholders: ReadonlySet<string> = new Set(
  [
    ['string', 'str', 'text', 'char', 'number', 'num', 'integer', 'int'],
    ['float', 'double', 'decimal', 'boolean', 'bool', 'byte', 'bytes'],
    ['object', 'obj', 'dict', 'map', 'record', 'array', 'list', 'tuple'],
    ['set', 'date', 'datetime', 'any', 'unknown', 'type', 'enum', 'regex'],
    ['null', 'none', 'nil', 'undefined', 'nan', 'infinity', 'true', 'false'],
    ['void', 'empty', 'optional', 'required', 'default'],
    ['value', 'example', 'placeholder', 'todo', 'tbd', 'xxx', 'foo', 'argument'],
    ['parameter', 'variable', 'input', 'your', 'my', 'some', 'the'],
  ].flat(),
);

function standsForValue(word: string, parameter: string): boolean {
  const words = wordsInName(word);
  const names = wordsInName(parameter);
  return words.some((one) => placeholders.has(one)) || names.every((one) => words.includes(one));
}
