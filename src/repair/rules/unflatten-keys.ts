import { objectOf } from '../../collections/objects.ts';
import { type JsonObject, type JsonValue } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { SchemaView } from '../../schema/schema-view.ts';
import { mayBeMeant } from '../read-text.ts';
import type { KeyEdit, ObjectRule, RuleContext } from '../repair-rule.ts';

/**
 * Models send undeclared keys like `todos[0].title`, `filter.name` that spell a declared nested
 * place, or a key in a required open object.
 * Becomes the nested value, of all keys with that head or of none.
 * Not when: a declared key has exactly that name; the nested value is present, too; an array would
 * have holes; the object around it is open and the nested value optional; the nested value is
 * verbatim.
 */
export const unflattenKeys: ObjectRule = {
  id: 'unflatten_keys',
  level: 'object',
  answers: ['undeclared'],
  keeps: 'lossy',
  propose(context) {
    const flat = Object.keys(context.value).flatMap((key) => flatKeyOf(context, key) ?? []);
    return [...Map.groupBy(flat, ({ head }) => head)].flatMap(([head, keys]) =>
      keys.every((key) => isNestedPlace(context, key)) ? editsFor(context.value, head, keys) : [],
    );
  },
};

/**
 * `todos[0].title`: its head is `todos`, its steps are `0` and `title`. A key with blanks or other
 * signs has no steps.
 */
interface FlatKey {
  readonly key: string;
  readonly head: string;
  /** The head's. */
  readonly schema: JsonSchema;
  readonly steps: readonly string[];
}

function flatKeyOf({ view }: RuleContext<JsonObject>, key: string): FlatKey | undefined {
  const head = key.replace(/[.[][^]*$/, '');
  const schema = view.properties.get(head);
  if (view.properties.has(key) || schema === undefined) return undefined;
  const isFlat = key.length <= 256 && /^[\w$-]+(?:\.[\w$-]+|\[\d{1,4}\])+$/.test(key);
  const steps = key.slice(head.length).split(/[.[\]]+/);
  return { key, head, schema, steps: isFlat ? steps.filter((step) => step !== '') : [] };
}

/** Whether the head is absent and its schema takes the value at the end of the steps. */
function isNestedPlace(
  context: RuleContext<JsonObject>,
  { head, schema, steps }: FlatKey,
): boolean {
  const { value, view } = context;
  if (Object.hasOwn(value, head) || context.viewOf(schema).isVerbatim) return false;
  // After a second dot, an undeclared key may have dots itself.
  return (
    (steps.length > 0 && mayBeMeant(view, head) && isDeclared(context, schema, steps)) ||
    (view.required.has(head) && steps.length === 1 && takesAnyKey(context, schema))
  );
}

function takesAnyKey(context: RuleContext, schema: JsonSchema): boolean {
  const { types, branches, additionalProperties } = context.viewOf(schema);
  if (branches.length > 0) return branches.some((branch) => takesAnyKey(context, branch));
  return types.has('object') && additionalProperties !== false;
}

/** Whether a schema declares the value at the end of the steps. */
function isDeclared(context: RuleContext, schema: JsonSchema, steps: readonly string[]): boolean {
  const [step, ...rest] = steps;
  if (step === undefined) return true;
  const view = context.viewOf(schema);
  if (view.branches.length > 0)
    return view.branches.some((branch) => isDeclared(context, branch, steps));
  const memberSchemaOf =
    isIndex(step) && view.types.has('array') ? view.items : memberNamed(context, view, step);
  return (
    memberSchemaOf !== undefined &&
    typeof memberSchemaOf !== 'boolean' &&
    isDeclared(context, memberSchemaOf, rest)
  );
}

/** Also accepts another spelling of the name, which is renamed later, in the nested object. */
function memberNamed(context: RuleContext, view: SchemaView, name: string): JsonSchema | undefined {
  const property = view.properties.get(name);
  if (property !== undefined) return property;
  const [misspeltKey] = context.misspelt(view, objectOf([[name, null]]));
  return misspeltKey === undefined ? undefined : view.properties.get(misspeltKey[1]);
}

const isIndex = (step: string): boolean => /^\d+$/.test(step);

function editsFor(value: JsonObject, head: string, keys: readonly FlatKey[]): readonly KeyEdit[] {
  const nestedValue = nest(keys.map(({ key, steps }) => ({ steps, value: value[key] ?? null })));
  if (nestedValue === undefined) return [];
  return [
    ...keys.map(({ key }): KeyEdit => ({ op: 'remove', key })),
    { op: 'set', key: head, value: nestedValue },
  ];
}

interface Leaf {
  readonly steps: readonly string[];
  readonly value: JsonValue;
}

/**
 * Builds the nested value; undefined if two leaves are at one place, or a list's indices are not 0,
 * 1, 2 and so on.
 */
function nest(leaves: readonly Leaf[]): JsonValue | undefined {
  if (leaves.some(({ steps }) => steps.length === 0))
    return leaves.length === 1 ? leaves[0]?.value : undefined;
  const entries: (readonly [string, JsonValue])[] = [];
  for (const [step, group] of Map.groupBy(leaves, ({ steps: [first = ''] }) => first)) {
    const value = nest(
      group.map(({ steps: [, ...steps], value: inner }) => ({ steps, value: inner })),
    );
    if (value === undefined) return undefined;
    entries.push([step, value]);
  }
  if (!entries.every(([step]) => isIndex(step))) return objectOf(entries);
  const elements = new Map(entries);
  const list = entries.map((_entry, index) => elements.get(String(index)));
  return list.every((item) => item !== undefined) ? list : undefined;
}
