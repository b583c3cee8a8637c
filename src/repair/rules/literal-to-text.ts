import { once } from '../../collections/once.ts';
import { survivesAsNumber } from '../../json/number-literals.ts';
import { spellingOf } from '../../json/key-spelling.ts';
import { type JsonObject, isJsonObject } from '../../json/value.ts';
import { digitsOf, lastWordOf, neutralListKeys } from '../read-text.ts';
import { type RuleContext, type ValueRule, replaceWith, skip } from '../repair-rule.ts';

/**
 * Models send a number, if only strings are allowed, or strings and null (then the model gets a
 * note, and a destructive tool has it confirmed); an object, if only strings are allowed and a
 * document is asked for: by the last word of the name (content, body, data, payload, json,
 * document, text, fields, params, parameters, arguments, args, attributes, properties, config,
 * configuration, metadata, schema, spec, values, headers), or by a title, description, media type
 * or format that speaks of JSON; a number that would lose digits, if a string is allowed.
 * Becomes its own source text (`1.000001` stays so; an object as it was written, else its compact
 * JSON).
 * Not when: objects anywhere else; booleans; arrays; objects in an array or in a secret field;
 * paths; strings with an enum or format; an object made only of JSON Schema’s keywords, or with one
 * key that is the field’s own name, an index, or names any element; for a content, document or text
 * an object that holds the text (`{type: 'text', text: …}`), unless the schema or a file’s name
 * beside it (`data.json`) asks for JSON; digits that are lost already; objects on a destructive
 * tool.
 */
export const literalToText: ValueRule = {
  id: 'literal_to_text',
  level: 'value',
  answers: ['type', 'digits'],
  declaredTypes: ['string'],
  keeps: 'lossless',
  acceptsAlmostAnything: true,
  propose(context) {
    const { value, types, view } = context;
    const digits = typeof value === 'number' ? digitsOf(value, context.literal()) : undefined;
    // A number that would lose digits becomes text, which keeps them, even if a number is allowed
    // too.
    if (digits !== undefined && !survivesAsNumber(digits) && view.members === undefined)
      return replaceWith(digits);
    const isOnlyText = [...types].every((type) => type === 'string');
    if (context.isPath() || view.members !== undefined) return skip;
    if (digits !== undefined) {
      if (view.format !== undefined || [...types].some((type) => !textOrNull.has(type)))
        return skip;
      const proposal = { kind: 'replace', value: digits } as const;
      return isOnlyText ? proposal : { ...proposal, isLossy: true, notes: true };
    }
    const source =
      isOnlyText && isJsonObject(value) && isDocument(context, value)
        ? context.sourceOf(value)
        : undefined;
    return source === undefined ? skip : { kind: 'replace', value: source, isLossy: true };
  },
};

/** No other type could hold the number, by itself or in a list. */
const textOrNull: ReadonlySet<string> = new Set(['string', 'null']);

const isDocument = (context: RuleContext, value: JsonObject): boolean =>
  !context.isElement &&
  asksForDocument(context) &&
  // The exact text of a secret can't be recovered from an object.
  !context.view.isSecret &&
  !isSchemaWords(value) &&
  !isKeyed(context, value) &&
  !holdsText(context, value);

const documentWords: ReadonlySet<string> = new Set(
  (
    'content contents body data payload json document text fields params parameters arguments args attributes ' +
    'properties config configuration metadata schema spec values headers'
  ).split(' '),
);

function asksForDocument(context: RuleContext): boolean {
  const { name, view } = context;
  return (
    asksForJson(context) ||
    (view.mergedSchema.format === undefined &&
      name !== undefined &&
      documentWords.has(lastWordOf(name).toLowerCase()))
  );
}

function asksForJson({ view, siblings }: RuleContext): boolean {
  const { title, description, contentMediaType, format } = view.mergedSchema;
  return (
    /json/i.test([title, description, contentMediaType, format].join(' ')) ||
    Object.values(siblings).some((value) => typeof value === 'string' && jsonFile.test(value))
  );
}

/** The name of a file with JSON in it: `package.json`, `tsconfig.jsonc`, `map.geojson`. */
const jsonFile = /^[^\n]{1,1024}\.[a-z]{0,12}json[a-z\d]{0,4}\s*$/i;

const isForText = ({ name }: RuleContext): boolean =>
  name !== undefined && textWords.has(lastWordOf(name).toLowerCase());

const schemaWords: ReadonlySet<string> = new Set(
  'type description title enum default properties required items format anyOf oneOf allOf examples minimum maximum value'.split(
    ' ',
  ),
);

/** Keywords of a schema in any spelling: the schema was copied. */
const isSchemaWords = (value: JsonObject): boolean =>
  Object.keys(value).every((key) => schemaWords.has(key) || normalizedWords().has(spellingOf(key)));

const normalizedWords = once(() => new Set([...schemaWords].map(spellingOf)));

/**
 * Whether the text under the key may be meant instead of the object: `{"query": {"query": …}}`,
 * `{"item": …}`, `{"0": …}`.
 */
function isKeyed({ name }: RuleContext, value: JsonObject): boolean {
  const keys = Object.keys(value).map(spellingOf);
  const isMeant = (key: string): boolean =>
    neutralListKeys.has(key) ||
    /^\d+$/.test(key) ||
    (name !== undefined && key === spellingOf(name));
  return keys.length === 1 && keys.every(isMeant);
}

/** What is written by people more often than by programs. */
const textWords: ReadonlySet<string> = new Set('content contents document text'.split(' '));

/**
 * Whether an object is the form in which messages and protocols hold a text, so that the text may be
 * meant and not the object: `{"type": "text", "text": …}`.
 */
function holdsText(context: RuleContext, value: JsonObject): boolean {
  const [key = '', ...others] = Object.keys(value).filter((one) => spellingOf(one) !== 'type');
  return (
    isForText(context) &&
    !asksForJson(context) &&
    others.length === 0 &&
    textWords.has(spellingOf(key)) &&
    typeof value[key] === 'string'
  );
}
