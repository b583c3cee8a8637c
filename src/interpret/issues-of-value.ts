// What is wrong with a value, as issues? The judge's errors in our words, without the noise of unions.
import type { SchemaViews } from '../contract/schema-view.ts';
import { holdsSecret } from '../contract/secret-places.ts';
import { expectedWords } from '../hints/describe-schema.ts';
import { excerptOf, quote } from '../issues/excerpt.ts';
import type { Issue } from '../issues/issue.ts';
import { nearestName } from '../issues/nearest-name.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { JudgedError } from '../validate/compile-schema.ts';
import type { Judge } from '../validate/judge.ts';
import type { StrictFailure } from '../validate/strict-readings.ts';

/** Issues that are looked at, at most: a message names eight. */
const mostIssues = 64;

/** Every failure of schema and strict readings, outermost first; `mended` are places that repair has answered for. */
export function issuesOfValue(judge: Judge, value: JsonValue, mended: readonly string[]): readonly Issue[] {
  const errors = withoutBranches(judge.errors(value)).slice(0, mostIssues);
  const issues = [
    ...errors.map((error) => issueOf(judge.views, error)),
    ...judge.strictFailures(value).map(strictIssue),
  ];
  const answered = new Set(mended);
  const open = issues.filter(({ path, key }) => !answered.has(key === undefined ? path : `${path}/${key}`));
  return open.length > 0 ? open : issues;
}

/** A union fails once: what its branches said of the same place is dropped. */
function withoutBranches(errors: readonly JudgedError[]): readonly JudgedError[] {
  const unions = errors.filter(
    ({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'if',
  );
  return errors.filter((error, at) =>
    unions.every((union) => {
      const isInside =
        error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`);
      const isBranch =
        error.schemaPath.startsWith(`${union.schemaPath}/`) || !isSameDocumentPart(error, union);
      return error === union || !isInside || !isBranch || at > errors.indexOf(union);
    }),
  );
}

/** Behind a `$ref` a schema path starts anew, so that it says nothing of where it hangs. */
const isSameDocumentPart = (error: JudgedError, union: JudgedError): boolean =>
  error.schemaPath.split('#')[0] === union.schemaPath.split('#')[0] && !error.schemaPath.includes('#/$defs');

function issueOf(views: SchemaViews, error: JudgedError): Issue {
  const { keyword, instancePath: path, params } = error;
  const parent: JsonSchema = error.parentSchema ?? true;
  const key = keyOf(error);
  if (key !== undefined) return { keyword, path, key, ...keyFacts(views, { keyword, parent, key }) };
  const received = excerptOf(asJson(error.data), holdsSecret(views, parent) ? 'hidden' : 'shown');
  return { keyword, path, expected: boundWords(keyword, params) ?? expectedWords(views, parent), received };
}

function keyOf({ params }: JudgedError): string | undefined {
  const key = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  return typeof key === 'string' ? key : undefined;
}

function keyFacts(
  views: SchemaViews,
  { keyword, parent, key }: { keyword: string; parent: JsonSchema; key: string },
): Partial<Issue> {
  const { properties } = views.of(parent);
  if (keyword === 'required' || keyword === 'dependentRequired') {
    const schema = properties.get(key);
    return schema === undefined ? {} : { expected: expectedWords(views, schema) };
  }
  const nearest = nearestName(key, properties.keys());
  return nearest === undefined ? {} : { advice: `did you mean ${quote(nearest)}?` };
}

/** The bound that a value missed, in words; undefined for a keyword that says what kind of value is meant. */
function boundWords(keyword: string, params: JudgedError['params']): string | undefined {
  const words = bounds.get(keyword);
  const limit = params['limit'] ?? params['multipleOf'] ?? params['pattern'] ?? params['format'];
  return words === undefined ? undefined : words.replace('%', quote(String(limit), 80).slice(1, -1));
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
  ['format', 'text in the format %'],
  ['uniqueItems', 'a list without repetitions'],
  ['not', 'another value'],
]);

const strictIssue = ({ keyword, path, key, declared }: StrictFailure): Issue => ({
  keyword,
  path,
  ...(key === undefined ? {} : { key }),
  ...(declared === undefined
    ? { advice: 'send the path alone' }
    : { advice: `send ${quote(declared)} once` }),
});

// The judge was given a JsonValue; its error hands a part of it back as unknown.
const asJson = (data: unknown): JsonValue => {
  if (data === null || typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean')
    return data;
  return Array.isArray(data) ? data : typeof data === 'object' ? { ...data } : null;
};
