import { survivesAsNumber } from '../../json/number-literals.ts';
import { type JsonObject, isJsonObject, spellingOf } from '../../json/value.ts';
import { digitsOf, neutralListKeys } from '../read-text.ts';
import { type RuleContext, type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const literalToText: ValueRule = {
  id: 'literal_to_text',
  level: 'value',
  answers: ['type', 'digits'],
  sent: ['integer', 'number', 'object'],
  declared: ['string'],
  keeps: 'lossless',
  hidesMovedClosers: true,
  sends:
    'a number or an object, if only strings are allowed; a number that would lose digits, if a string is allowed',
  becomes: 'its own source text (`1.000001` stays so; an object its JSON text)',
  notWhen:
    'booleans; arrays; objects in an array or in a verbatim or secret field; paths; strings with an enum or format; an object made only of JSON Schema’s keywords, or with one key that is the field’s own name, an index, or names any element; digits that are lost already',
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
  Object.keys(value).every((key) => schemaWords.has(key) || normalizedWords.has(spellingOf(key)));

const normalizedWords: ReadonlySet<string> = new Set([...schemaWords].map(spellingOf));

/** `{"query": {"query": …}}`, `{"item": …}`, `{"0": …}`: the text under the key may be meant, or the object. */
function isKeyed({ name }: RuleContext, value: JsonObject): boolean {
  const [key, ...others] = Object.keys(value);
  if (key === undefined || others.length > 0) return false;
  const spelled = spellingOf(key);
  return (
    neutralListKeys.has(spelled) || /^\d+$/.test(key) || (name !== undefined && spelled === spellingOf(name))
  );
}
