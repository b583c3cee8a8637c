// What does one failure of the schema say, in our words?
import type { SchemaFailure } from '../../contract/schema-judge.ts';
import type { SchemaViews } from '../../contract/schema-view.ts';
import { holdsSecret, isSecretPlace } from '../../contract/secret-places.ts';
import { expectedWords } from '../../hints/describe-schema.ts';
import { excerptOf, harmless, quote } from '../../issues/excerpt.ts';
import type { Issue } from '../../issues/issue.ts';
import { nearestName } from '../../issues/nearest-name.ts';
import { valueAt } from '../../json/json-pointer.ts';
import type { JsonSchema } from '../../json/json-schema.ts';
import type { JsonValue } from '../../json/json-value.ts';

interface FailedValue {
  readonly views: SchemaViews;
  readonly failure: SchemaFailure;
  /** The arguments as a whole. */
  readonly value: JsonValue;
}

/** The issue: where, what was expected, what came, and the way out if one key is near. */
export function issueOfFailure({ views, failure, value }: FailedValue): Issue {
  const { keyword, path, key, schema } = failure;
  if (key !== undefined) return { keyword, path, key, ...keyFacts(views, { keyword, schema, key }) };
  const isHidden = holdsSecret(views, schema) || isSecretPlace(views, path);
  const received = excerptOf(valueAt(value, path) ?? null, isHidden ? 'hidden' : 'shown');
  return { keyword, path, expected: boundWords(keyword, schema) ?? expectedWords(views, schema), received };
}

function keyFacts(
  views: SchemaViews,
  { keyword, schema, key }: { keyword: string; schema: JsonSchema; key: string },
): Partial<Issue> {
  const { properties } = views.of(schema);
  if (keyword === 'required' || keyword === 'dependentRequired') {
    const missing = properties.get(key);
    return missing === undefined ? {} : { expected: expectedWords(views, missing) };
  }
  if (keyword !== 'additionalProperties' && keyword !== 'unevaluatedProperties') {
    const expected = boundWords(keyword, schema) ?? expectedWords(views, schema);
    return { expected, received: `the key ${quote(key)}` };
  }
  const nearest = nearestName(key, properties.keys());
  return nearest === undefined ? {} : { advice: `did you mean ${quote(nearest)}?` };
}

/** The bound that a value missed, in words; undefined for a keyword that says what kind of value is meant. */
function boundWords(keyword: string, schema: JsonSchema): string | undefined {
  const words = bounds.get(keyword);
  const limit = typeof schema === 'boolean' ? undefined : schema[keyword];
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
