// What does one of the judge's errors say, in our words?
import type { SchemaViews } from '../../contract/schema-view.ts';
import { holdsSecret, isSecretPlace } from '../../contract/secret-places.ts';
import { expectedWords } from '../../hints/describe-schema.ts';
import { excerptOf, harmless, quote } from '../../issues/excerpt.ts';
import type { Issue } from '../../issues/issue.ts';
import { nearestName } from '../../issues/nearest-name.ts';
import type { JsonSchema } from '../../json/json-schema.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { JudgedError } from '../../validate/compile-schema.ts';

/** The issue: where, what was expected, what came, and the way out if one key is near. */
export function issueOfError(views: SchemaViews, error: JudgedError): Issue {
  const { keyword, instancePath: path, params } = error;
  const parent: JsonSchema = error.parentSchema ?? true;
  const key = keyOf(error);
  if (key !== undefined) return { keyword, path, key, ...keyFacts(views, { keyword, parent, key }) };
  const isHidden = holdsSecret(views, parent) || isSecretPlace(views, path);
  const received = excerptOf(asJson(error.data), isHidden ? 'hidden' : 'shown');
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
  return words === undefined ? undefined : words.replace('%', () => harmless(String(limit), 80));
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

// The judge was given a JsonValue; its error hands a part of it back as unknown.
const asJson = (data: unknown): JsonValue => {
  if (data === null || typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean')
    return data;
  return Array.isArray(data) ? data : typeof data === 'object' ? { ...data } : null;
};
