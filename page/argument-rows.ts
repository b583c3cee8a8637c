// The arguments of a waiting call, one a row: what was sent, and what will run.
import type { DecisionCase } from '../src/page/decision-data.ts';
import { jsonLines } from '../src/page/difference.ts';
import type { CallDetail } from '../src/page/page-data.ts';
import { repairGroups } from './repair-groups.ts';

export interface ArgumentRow {
  readonly name: string;
  readonly kind: ArgumentKind;
  readonly isRequired: boolean;
  /** What was sent, as JSON text. Absent: nothing. */
  readonly sentText?: string;
  /** What was sent is no object of arguments: nothing of it can be told apart. */
  readonly isInText: boolean;
  /** The name under which it was sent, if it is another one. */
  readonly sentName?: string;
  /** JSON text of what will run. Absent: the tool doesn't get it. */
  readonly runText?: string;
  /** The repairs that changed it, from 1. */
  readonly marks: readonly number[];
  readonly isChanged: boolean;
  /** It holds what the page may not show. */
  readonly isWithheld: boolean;
}

/** What an argument can be, as far as there is a field for it. `json`: any value. */
export type ArgumentKind =
  | { readonly type: 'text' | 'number' | 'integer' | 'boolean' | 'texts' }
  /** `of`: the type that the schema says. */
  | { readonly type: 'json'; readonly of: string }
  | { readonly type: 'choice'; readonly choices: readonly unknown[] };

/** The texts of the members of a JSON object, with the literals of numbers. */
export function memberTexts(json: string): ReadonlyMap<string, string> {
  const members = new Map<string, string[]>();
  let current: string[] = [];
  for (const { indent, key, value, path } of jsonLines(json)) {
    if (indent === 0) continue;
    if (indent === 1 && key !== '') {
      current = [];
      members.set(keyIn(path), current);
    }
    current.push('  '.repeat(indent - 1) + (indent === 1 ? '' : key) + value);
  }
  return new Map(
    Array.from(members, ([name, lines]) => [name, lines.join('\n').replace(/,$/, '')]),
  );
}

const keyIn = (path: string): string =>
  (path.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');

type ArgumentsOfCase = Pick<DecisionCase, 'schema' | 'arguments' | 'withheld' | 'metaKeys'>;

/** `sent`: undefined if what was sent is not the text of an object. */
export function argumentRows(
  { schema, arguments: runArguments = '{}', withheld, metaKeys }: ArgumentsOfCase,
  { repairs }: Pick<CallDetail, 'repairs'>,
  sent: string | undefined,
): readonly ArgumentRow[] {
  const declared = propertiesOf(schema);
  const runTexts = memberTexts(runArguments);
  const sentTexts = sent === undefined ? undefined : memberTexts(sent);
  const moves = movesOf(repairs);
  const marks = marksOf(repairs);
  const isUsed = (name: string): boolean =>
    runTexts.has(name) || [...moves].some(([to, from]) => from === name && runTexts.has(to));
  const dropped = [...(sentTexts?.keys() ?? [])].filter(
    (name) => !isUsed(name) && !metaKeys.includes(name),
  );
  const names = [...new Set([...declared.keys(), ...runTexts.keys(), ...dropped])];
  return names.map((name) => {
    const sentName = sentTexts?.has(name) === true ? name : moves.get(name);
    const sentText = sentName === undefined ? undefined : sentTexts?.get(sentName);
    const runText = runTexts.get(name);
    return {
      name,
      kind: kindOf(declared.get(name)),
      isRequired: requiredOf(schema).includes(name),
      ...(sentText === undefined ? {} : { sentText }),
      ...(sentName === undefined || sentName === name ? {} : { sentName }),
      ...(runText === undefined ? {} : { runText }),
      marks: marks.get(name) ?? [],
      isChanged:
        sentTexts !== undefined &&
        (sentText !== runText || (sentName !== undefined && sentName !== name)),
      isWithheld: withheld.includes(name),
      isInText: sent === undefined,
    };
  });
}

type Repairs = CallDetail['repairs'];

/** From where each argument at the root was moved. */
const movesOf = (repairs: Repairs): ReadonlyMap<string, string> =>
  new Map(
    repairs
      .flatMap(({ operations }) => operations)
      .flatMap(({ op, path, from }) =>
        op === 'move' && from !== undefined && isAtRoot(path) && isAtRoot(from)
          ? [[keyIn(path), keyIn(from)] as const]
          : [],
      ),
  );

const isAtRoot = (path: string): boolean => path.lastIndexOf('/') === 0;

function marksOf(repairs: Repairs): ReadonlyMap<string, readonly number[]> {
  const marks = new Map<string, Set<number>>();
  for (const [index, group] of repairGroups(repairs).entries())
    for (const { path, operations } of group.repairs)
      for (const place of [path, ...operations.map((operation) => operation.path)]) {
        const name = keyIn(place);
        marks.set(name, (marks.get(name) ?? new Set()).add(index + 1));
      }
  return new Map(Array.from(marks, ([name, those]) => [name, [...those]]));
}

// What the schema says, as far as a field needs it.

type Declared = Readonly<Record<string, unknown>>;

const isDeclared = (value: unknown): value is Declared =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function propertiesOf(schema: object | undefined): ReadonlyMap<string, unknown> {
  const properties: unknown = isDeclared(schema) ? schema['properties'] : undefined;
  return new Map(
    isDeclared(properties)
      ? Object.entries(properties).map(([name, property]) => [name, resolved(property, schema)])
      : [],
  );
}

/** A property that refers to a definition of its schema. */
function resolved(property: unknown, schema: object | undefined): unknown {
  const reference = isDeclared(property) ? property['$ref'] : undefined;
  const [, place, name] =
    typeof reference === 'string' ? (/^#\/(\$defs|definitions)\/(.+)$/.exec(reference) ?? []) : [];
  if (place === undefined || name === undefined || !isDeclared(schema)) return property;
  const definitions = schema[place];
  return isDeclared(definitions) ? definitions[name] : property;
}

function requiredOf(schema: object | undefined): readonly unknown[] {
  const required: unknown = isDeclared(schema) ? schema['required'] : undefined;
  return Array.isArray(required) ? required : [];
}

function kindOf(property: unknown): ArgumentKind {
  if (!isDeclared(property)) return { type: 'json', of: 'any value' };
  const { enum: choices, type, items } = property;
  if (Array.isArray(choices)) return { type: 'choice', choices };
  switch (type) {
    case 'string':
      return { type: 'text' };
    case 'number':
    case 'integer':
    case 'boolean':
      return { type };
    case 'array':
      return isDeclared(items) && items['type'] === 'string'
        ? { type: 'texts' }
        : { type: 'json', of: 'array' };
    default:
      return { type: 'json', of: typeof type === 'string' ? type : 'any value' };
  }
}

/** What a reader is told of an argument: `integer, required`. */
export const describedKind = ({ kind, isRequired }: ArgumentRow): string =>
  isRequired ? `${kindName(kind)}, required` : kindName(kind);

function kindName(kind: ArgumentKind): string {
  switch (kind.type) {
    case 'choice':
      return `one of ${kind.choices.length}`;
    case 'text':
      return 'string';
    case 'texts':
      return 'array of strings';
    case 'json':
      return kind.of;
    default:
      return kind.type;
  }
}
