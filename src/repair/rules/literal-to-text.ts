// Models send what looks like a number unquoted, and JSON files as objects. Leaves alone: an object where text is
// verbatim or secret (there only what was sent as text is the text); places that allow anything but text, paths,
// enums and formats, booleans, lists, objects in lists.
import { survivesAsNumber } from '../../json/exact-numbers.ts';
import { type JsonObject, isJsonObject, spellingOf } from '../../json/value.ts';
import { digitsOf, isNeutralListKey } from '../read-text.ts';
import { type Place, type ValueRule, replaceBy, silent } from '../repair-rule.ts';

export const literalToText: ValueRule = {
  id: 'literal_to_text',
  level: 'value',
  answers: ['type', 'digits'],
  keeps: 'lossless',
  sends:
    'a number, or an object, where nothing but text is allowed at the place as a whole; a number that would lose digits, where text is allowed',
  becomes: 'its own source text (`1.000001` stays so; an object its JSON text)',
  notWhen:
    'booleans; lists; objects in a list or where the text is verbatim or secret; paths; text with an enum or format; an object made only of JSON Schema’s words, or with one key that is the field’s own name, an index, or names any element; digits already lost',
  propose(place) {
    const { value, types, view, isPath, ask } = place;
    const digits = typeof value === 'number' ? digitsOf(value, place.literal) : undefined;
    // A number that would lose digits keeps them where text is allowed, whatever else is.
    if (
      digits !== undefined &&
      !survivesAsNumber(digits) &&
      view.types.has('string') &&
      view.members === undefined
    )
      return replaceBy(digits);
    const isOnlyText = [...types].every((type) => type === 'string');
    if (!isOnlyText || isPath || view.members !== undefined || view.format !== undefined) return silent;
    if (digits !== undefined) return replaceBy(digits);
    const isText =
      isJsonObject(value) &&
      !place.isElement &&
      !isExact(view) &&
      !isSchemaWords(value) &&
      !isKeyed(place, value);
    const source = isText ? ask.sourceOf(value) : undefined;
    return source === undefined ? silent : replaceBy(source);
  },
};

/** Text that is taken to the letter: how an object would have been written as text, nobody has said. */
const isExact = ({ isVerbatim, isSecret }: Place['view']): boolean => isVerbatim || isSecret;

const schemaWords: ReadonlySet<string> = new Set(
  'type description title enum default properties required items format anyOf oneOf allOf examples minimum maximum value'.split(
    ' ',
  ),
);

/** In any spelling: where the schema was copied, its words are no less its own. */
const isSchemaWords = (value: JsonObject): boolean =>
  Object.keys(value).every((key) => schemaWords.has(key) || foldedWords.has(spellingOf(key)));

const foldedWords: ReadonlySet<string> = new Set([...schemaWords].map(spellingOf));

/** `{"query": {"query": …}}`, `{"item": …}`, `{"0": …}`: the text under the key may be meant, or the object. */
function isKeyed({ name }: Place, value: JsonObject): boolean {
  const [key, ...others] = Object.keys(value);
  if (key === undefined || others.length > 0) return false;
  const spelled = spellingOf(key);
  return (
    isNeutralListKey(spelled) || /^\d+$/.test(key) || (name !== undefined && spelled === spellingOf(name))
  );
}
