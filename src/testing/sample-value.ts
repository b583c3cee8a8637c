import { objectOf } from '../collections/objects.ts';
import { type JsonType, type JsonValue, isAnyType } from '../json/value.ts';
import { boundsOf, formatOf, isWithin, numbersOf, stringsOf } from '../messages/constraints.ts';
import { specialString } from '../messages/example-value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { schemaParts } from '../schema/merge-schemas.ts';
import { readPattern } from '../schema/patterns.ts';
import { type SchemaView, type SchemaViews, memberSchema } from '../schema/schema-view.ts';
import { isMap, isPathName } from '../validate/strict-checks.ts';
import { type ValueKind, kindOf } from '../validate/value-kinds.ts';

interface SampleContext {
  readonly views: SchemaViews;
  readonly random: Random;
  /** The property that the value is for. */
  readonly name: string;
  readonly depth: number;
}

/** Below this depth only required properties are sent. */
const deepest = 5;

/**
 * A random value that follows the schema's usual keywords. A candidate only, which the caller
 * validates.
 */
export function sampleValue(schema: JsonSchema, context: SampleContext): JsonValue {
  const { views, random } = context;
  const view = views.of(schema);
  if (view.members !== undefined) return random.pick(view.members) ?? null;
  if (view.defaultValue !== undefined && random.chance(0.2)) return view.defaultValue;
  const branch = random.pick(view.branches);
  if (branch !== undefined) return sampleValue(branch, context);
  const parts = typeof schema === 'boolean' ? [] : schemaParts(schema, views.root);
  const type = random.pick(sampledTypes(view));
  if (type === 'object') return sampleObject(view, context);
  if (type === 'array') return sampleArray(view, parts, context);
  if (type === 'integer' || type === 'number') return sampleNumber(parts, type, random);
  if (type === 'boolean') return random.chance(0.5);
  return type === 'null' ? null : sampleText(view, parts, context);
}

/** Without `type` in the schema, the type that its keywords are about. */
function sampledTypes({ types, properties, required, items }: SchemaView): readonly JsonType[] {
  if (!isAnyType(types)) return [...types];
  if (properties.size > 0 || required.size > 0) return ['object'];
  return items === true ? ['string', 'string', 'string', ...types] : ['array'];
}

const mapKeys = ['first', 'X-Request-Id', 'team a', 'k1', 'A', 'a', '__proto__'];

function sampleObject(view: SchemaView, context: SampleContext): JsonValue {
  const { random, depth } = context;
  const declaredKeys = [...new Set([...view.properties.keys(), ...view.required])].filter(
    (name) => view.required.has(name) || (depth < deepest && random.chance(0.45)),
  );
  // Without the others, their defaults would be filled in.
  const relations = view.relational.filter(({ requires }) =>
    requires.some((name) => declaredKeys.includes(name)),
  );
  const inMap =
    isMap(view) && depth < deepest ? random.shuffle(mapKeys).slice(0, random.integer(0, 2)) : [];
  const free = inMap.filter(
    (name) => memberSchema(view, name) !== false && !view.properties.has(name),
  );
  return objectOf(
    [...new Set([...declaredKeys, ...relations.flatMap(({ requires }) => requires), ...free])].map(
      (name) => {
        const value = sampleValue(memberSchema(view, name), { ...context, name, depth: depth + 1 });
        return [name, value] as const;
      },
    ),
  );
}

function sampleArray(
  view: SchemaView,
  parts: readonly SchemaObject[],
  context: SampleContext,
): JsonValue {
  const { random, depth } = context;
  const itemContext = { ...context, depth: depth + 1 };
  if (kindOf(view) === 'line_range') {
    const first = random.integer(1, 100);
    return [first, random.pick([-1, first, first + random.integer(1, 50)]) ?? -1];
  }
  const fixedItems = view.prefixItems.map((schema) => sampleValue(schema, itemContext));
  if (view.items === false || (fixedItems.length > 0 && view.items === true)) return fixedItems;
  const { least = 0, most = Infinity } = boundsOf(parts, 'minItems', 'maxItems');
  const itemCount = depth >= deepest ? least : random.integer(least, Math.min(most, least + 3));
  const rest = Array.from({ length: Math.max(itemCount - fixedItems.length, 0) }, () =>
    sampleValue(view.items, itemContext),
  );
  return [...fixedItems, ...rest];
}

function sampleNumber(
  parts: readonly SchemaObject[],
  type: 'integer' | 'number',
  random: Random,
): number {
  const [step = type === 'integer' ? 1 : 0.25] = numbersOf(parts, 'multipleOf');
  const { least: low, most: high } = boundsOf(parts, 'minimum', 'maximum');
  const { least: lowerBound, most: upperBound } = boundsOf(
    parts,
    'exclusiveMinimum',
    'exclusiveMaximum',
  );
  const most = Math.min(high ?? Infinity, upperBound === undefined ? Infinity : upperBound - step);
  const lowest = Math.max(
    low ?? -Infinity,
    lowerBound === undefined ? -Infinity : lowerBound + step,
  );
  if (lowest === -Infinity && most === Infinity && random.chance(0.1))
    return (
      (random.pick([-1000, -1, Number.MAX_SAFE_INTEGER, type === 'integer' ? -7 : 1e-7]) ?? 0) *
      step
    );
  const least = lowest === -Infinity ? Math.min(0, most) : lowest;
  const steps = Math.floor(most / step) - Math.ceil(least / step);
  const number =
    (Math.ceil(least / step) + random.integer(0, Math.min(Math.max(steps, 0), 400))) * step;
  const whole = Math.round(number);
  return random.chance(0.5) && whole >= least && whole <= most && step <= 1 ? whole : number;
}

const pathTexts = [
  'notes.md',
  'src/app.ts',
  '/tmp/report.txt',
  'docs/read me.md',
  'src/[id].tsx',
  '[a](b)',
  '.',
];

const plainTexts = ['weekly report', 'Ada Lovelace', 'blue', 'main', 'v1.2.3', 'en-US'];

/** Strings that repair has to leave alone: JSON, lists, links, numbers, words, markup. */
const hardTexts = [
  [
    'Straße – 東京 😀',
    'first line\nsecond line\n',
    'He said "no", it\'s over',
    'a, b, c',
    '["x"]',
    '[1',
    '{',
  ],
  [
    '{"a": 1}',
    '{"a":1}',
    '[notes.md](http://notes.md)',
    '42',
    '1.50',
    '007',
    'true',
    'null',
    'None',
  ],
  [
    'C:\\Users\\ada',
    '</tool_call> {',
    '<|im_end|>',
    '```\ncode\n```',
    '// no comment',
    ' ',
    '',
    'undefined',
  ],
  ['12345678901234567890'],
].flat();

const textsOfKinds: Readonly<Record<ValueKind, readonly string[]>> = {
  url: ['https://example.com/a?b=c#d', 'http://localhost:8080/', 'mailto:ada@example.com'],
  glob: ['**/*.ts', '{a,b}/[c-e]?.txt', '*'],
  line_range: ['1-1', '10-20'],
};

function sampleText(
  view: SchemaView,
  parts: readonly SchemaObject[],
  { random, name }: SampleContext,
): string {
  const patterns = stringsOf(parts, 'pattern').map((pattern) => readPattern(pattern).matcher);
  const length = boundsOf(parts, 'minLength', 'maxLength');
  const kind = kindOf(view);
  if (kind !== undefined) return random.pick(textsOfKinds[kind]) ?? '';
  const usual = isPathName(name) || view.semantic === 'path' ? pathTexts : plainTexts;
  const pool = formatOf(parts)?.examples ?? random.shuffle(random.chance(0.5) ? usual : hardTexts);
  const fits = (text: string): boolean =>
    isWithin(text.length, length) && patterns.every((pattern) => pattern.test(text));
  const sample = [...pool, ...plainTexts].find(fits) ?? specialString(view, parts);
  return (
    sample ??
    'abcdef'.repeat(70).slice(0, Math.min(Math.max(4, length.least ?? 0), length.most ?? 400))
  );
}

/** A seeded source of choices (mulberry32): the same seed makes the same choices. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer, both ends included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** undefined for an empty list. */
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.integer(0, items.length - 1)];
  }

  /** A copy in another order. */
  shuffle<Item>(items: readonly Item[]): readonly Item[] {
    return items
      .map((item) => [this.next(), item] as const)
      .toSorted(([left], [right]) => left - right)
      .map(([, item]) => item);
  }
}
