import { survivesAsNumber } from '../../json/exact-numbers.ts';
import { type JsonObject, isJsonObject, spellingOf } from '../../json/value.ts';
import { digitsOf, isNeutralListKey } from '../read-text.ts';
import { type RuleContext, type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const literalToText: ValueRule = {
  id: 'literal_to_text',
  level: 'value',
  answers: ['type', 'digits'],
  sent: ['integer', 'number', 'object'],
  declared: ['string'],
  keeps: 'lossless',
  sends:
    'a number, or an object, where nothing but text is allowed at the place as a whole; a number that would lose digits, where text is allowed',
  becomes: 'its own source text (`1.000001` stays so; an object its JSON text)',
  notWhen:
    'booleans; lists; objects in a list or where the text is verbatim or secret; paths; text with an enum or format; an object made only of JSON Schema’s words, or with one key that is the field’s own name, an index, or names any element; digits already lost',
  propose(context) {
    const { value, types, view } = context;
    const digits = typeof value === 'number' ? digitsOf(value, context.literal) : undefined;
    // A number that would lose digits keeps them as text, even where a number is allowed too.
    if (digits !== undefined && !survivesAsNumber(digits) && view.members === undefined)
      return replaceWith(digits);
    const isOnlyText = [...types].every((type) => type === 'string');
    if (!isOnlyText || context.isPath || view.members !== undefined || view.format !== undefined) return skip;
    if (digits !== undefined) return replaceWith(digits);
    const source = isJsonObject(value) && isDocument(context, value) ? context.sourceOf(value) : undefined;
    return source === undefined ? skip : replaceWith(source);
  },
};

const isDocument = (context: RuleContext, value: JsonObject): boolean =>
  !context.isElement &&
  // Verbatim and secret text is exact: how the object would have been written as text is unknown.
  !context.view.isVerbatim &&
  !context.view.isSecret &&
  !isSchemaWords(value) &&
  !isKeyed(context, value);

const schemaWords: ReadonlySet<string> = new Set(
  'type description title enum default properties required items format anyOf oneOf allOf examples minimum maximum value'.split(
    ' ',
  ),
);

/** Keywords of a schema in any spelling: the schema was copied. */
const isSchemaWords = (value: JsonObject): boolean =>
  Object.keys(value).every((key) => schemaWords.has(key) || foldedWords.has(spellingOf(key)));

const foldedWords: ReadonlySet<string> = new Set([...schemaWords].map(spellingOf));

/** `{"query": {"query": …}}`, `{"item": …}`, `{"0": …}`: the text under the key may be meant, or the object. */
function isKeyed({ name }: RuleContext, value: JsonObject): boolean {
  const [key, ...others] = Object.keys(value);
  if (key === undefined || others.length > 0) return false;
  const spelled = spellingOf(key);
  return (
    isNeutralListKey(spelled) || /^\d+$/.test(key) || (name !== undefined && spelled === spellingOf(name))
  );
}
