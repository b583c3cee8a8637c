// What would be right where a keyword of the schema failed? In words, by the keyword; never the kind alone where the value
// is of that kind.
import { expectedWords } from '../../hints/describe-schema.ts';
import { branchesWords, containsClause, exactWords, limitWords } from '../../hints/exact-words.ts';
import { formatExample } from '../../hints/example-scalar.ts';
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { Judge } from '../../validate/judge.ts';

/** What was judged, and by what. */
export interface FailedKeyword {
  readonly keyword: string;
  /** The schema that the keyword stands in. */
  readonly schema: JsonSchema;
  /** What failed; a key's name, where that failed. */
  readonly value: JsonValue;
}

/** "at least 3 characters", "a list with \"a\" in it", "anything but text that matches ^x". */
export function expectedBy(judge: Judge, { keyword, schema, value }: FailedKeyword): string {
  const { views } = judge;
  if (typeof schema === 'boolean') return 'nothing';
  const words = bounds.get(keyword);
  if (words !== undefined) return limitWords(words, schema[keyword]);
  switch (keyword) {
    case 'type':
      return typeWordsFor(judge, schema, value);
    case 'enum':
    case 'const':
      return expectedWords(views, schema);
    case 'format':
      return formatWords(String(schema.format));
    case 'not':
      return notWords(judge, schema);
    case 'contains':
      return ['a list', ...containsClause(views, schema, 0)].join(' ');
    case 'items':
    case 'unevaluatedItems':
      return limitWords('at most % in the list', views.of(schema).prefixItems.length);
    case 'oneOf':
      return onlyOneWords(judge, schema, value) ?? exactWords(views, schema);
    default:
      return exactWords(views, schema);
  }
}

/**
 * A text that says a number is sent again as that number, and a number as its text: where only such values may stand, their
 * bounds are told at once.
 */
function typeWordsFor({ views }: Judge, schema: SchemaObject, value: JsonValue): string {
  const { types } = views.of(schema);
  const isText = types.has('string');
  const isScalar = !types.has('array') && !types.has('object');
  const saysOther = isText ? typeof value === 'number' : typeof value === 'string';
  return isScalar && saysOther ? exactWords(views, schema) : expectedWords(views, schema);
}

const bounds: ReadonlyMap<string, string> = new Map([
  ['minimum', 'at least %'],
  ['maximum', 'at most %'],
  ['exclusiveMinimum', 'more than %'],
  ['exclusiveMaximum', 'less than %'],
  ['minLength', 'at least % characters'],
  ['maxLength', 'at most % characters'],
  ['minItems', 'at least % in the list'],
  ['maxItems', 'at most % in the list'],
  ['minProperties', 'at least % keys'],
  ['maxProperties', 'at most % keys'],
  ['multipleOf', 'a multiple of %'],
  ['pattern', 'text that matches %'],
  ['uniqueItems', 'a list without repetitions'],
]);

function formatWords(format: string): string {
  const example = formatExample(format);
  const words = limitWords('text in the format %', format);
  return example === undefined ? words : `${words}, like ${example}`;
}

function notWords({ views }: Judge, { not }: SchemaObject): string {
  const refused = isSchema(not) ? not : true;
  return refused === true ? 'nothing' : `anything but ${exactWords(views, refused)}`;
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'boolean' || (typeof value === 'object' && value !== null);

/** undefined where the value fits none: then it is what one of them asks for that is missing. */
function onlyOneWords(judge: Judge, schema: SchemaObject, value: JsonValue): string | undefined {
  const fitting = (schema.oneOf ?? []).filter((branch) => judge.acceptsPart(branch, value));
  if (fitting.length < 2) return undefined;
  return `only one of: ${branchesWords(
    fitting.map((branch) => exactWords(judge.views, branch)),
    '; ',
  )}`;
}
