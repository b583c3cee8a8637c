// How is a keyword said in words, where a provider's form of the schema has no place for it?
import type { SchemaObject } from '../json/json-schema.ts';
import { quote } from '../issues/excerpt.ts';

type Words = (value: string) => string;

const sayings: ReadonlyMap<string, Words> = new Map<string, Words>([
  ['minimum', (value) => `at least ${value}`],
  ['maximum', (value) => `at most ${value}`],
  ['exclusiveMinimum', (value) => `more than ${value}`],
  ['exclusiveMaximum', (value) => `less than ${value}`],
  ['multipleOf', (value) => `a multiple of ${value}`],
  ['minLength', (value) => `at least ${value} characters long`],
  ['maxLength', (value) => `at most ${value} characters long`],
  ['minItems', (value) => `at least ${value} long`],
  ['maxItems', (value) => `at most ${value} long`],
  ['uniqueItems', () => 'without repetitions'],
  ['minProperties', (value) => `of at least ${value} members`],
  ['maxProperties', (value) => `of at most ${value} members`],
  ['pattern', (value) => `matched by ${quote(value)}`],
  ['format', (value) => `a ${value}`],
  ['default', (value) => `${value} if left out`],
]);

/** "at least 0, at most 9": those of the keywords that the schema says; empty if it says none. */
export function unsaidWords(schema: SchemaObject, unsaid: ReadonlySet<string>): string {
  const words = [...sayings].flatMap(([keyword, saying]) => {
    const value = schema[keyword];
    const isSaid = !unsaid.has(keyword) || value === undefined || value === false;
    if (isSaid) return [];
    return [saying(typeof value === 'string' && keyword !== 'default' ? value : JSON.stringify(value))];
  });
  return words.join(', ');
}
