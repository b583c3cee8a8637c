// Could nobody tell by a value which branch of a union it was sent for, though it would be read in two ways?
import { mergeSchemas } from '../../contract/merge-schemas.ts';
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { sameValue } from '../../json/same-value.ts';
import type { Plan, PlanBranch } from './plan.ts';

/** The way back takes the first branch that fits; a value of a later one must not fit it, unless it is read alike. */
export const lookAlike = (branches: readonly PlanBranch[], root: SchemaObject): boolean =>
  branches.some((later, index) =>
    branches.slice(0, index).some((earlier) => {
      const isSame = later.plan.kind === 'same' && earlier.plan.kind === 'same';
      return !isSame && canBe(later, earlier, root, 0);
    }),
  );

type Shown = Pick<PlanBranch, 'own' | 'shown' | 'plan'>;

const deepest = 6;

/** Whether a value that is sent for one branch may fit another one. */
function canBe(sent: Shown, other: Shown, root: SchemaObject, depth: number): boolean {
  const [one, two] = [seen(sent, root), seen(other, root)];
  if (isNull(one) !== isNull(two) && (one === undefined || two === undefined)) return false;
  if (one === undefined || two === undefined || depth > deepest) return true;
  if (one.anyOf !== undefined)
    return one.anyOf.some((branch) => canBe({ ...sent, shown: branch }, other, root, depth + 1));
  if (two.anyOf !== undefined)
    return two.anyOf.some((branch) => canBe(sent, { ...other, shown: branch }, root, depth + 1));
  const types = typesIn(one).filter((type) => typesIn(two).includes(type));
  if (types.length === 0 && typesIn(one).length > 0 && typesIn(two).length > 0) return false;
  if (membersApart(one, two)) return false;
  const isRecord = sent.plan.kind === 'record' || other.plan.kind === 'record';
  if (types.length === 1 && types[0] === 'object') return objectCanBe(one, two, root, depth);
  if (types.length === 1 && types[0] === 'array' && !isRecord)
    return canBe(itemsOf(one, sent.plan), itemsOf(two, other.plan), root, depth + 1);
  return true;
}

/** What is shown; of a definition that is being made still, what it is made from. */
function seen({ shown }: Shown, root: SchemaObject): SchemaObject | undefined {
  if (typeof shown === 'boolean') return undefined;
  if (shown.$ref === undefined) return shown;
  const own = mergeSchemas(shown, root);
  if (own.properties !== undefined) return { ...own, additionalProperties: false };
  return own.type === undefined || [own.type].flat().includes('object') ? undefined : own;
}

const isNull = (schema: SchemaObject | undefined): boolean => schema?.type === 'null';

/** A whole number is a number. */
const typesIn = ({ type }: SchemaObject): readonly string[] =>
  type === undefined ? [] : [type].flat().map((said) => (said === 'integer' ? 'number' : said));

function membersApart(one: SchemaObject, two: SchemaObject): boolean {
  const [first, second] = [membersOf(one), membersOf(two)];
  if (first === undefined || second === undefined) return false;
  return !first.some((member) => second.some((other) => sameValue(member, other)));
}

const membersOf = ({ enum: members, const: constant }: SchemaObject): SchemaObject['enum'] =>
  constant === undefined ? members : [constant];

function objectCanBe(one: SchemaObject, two: SchemaObject, root: SchemaObject, depth: number): boolean {
  const [first, second] = [
    new Map(Object.entries(one.properties ?? {})),
    new Map(Object.entries(two.properties ?? {})),
  ];
  if ((two.required ?? []).some((key) => !first.has(key))) return false;
  const required = one.required ?? [];
  if (two.additionalProperties === false && required.some((key) => !second.has(key))) return false;
  return required.every((key) => {
    const [held, other] = [first.get(key), second.get(key)];
    return held === undefined || other === undefined || canBe(plain(held), plain(other), root, depth + 1);
  });
}

const plain = (shown: JsonSchema): Shown => ({ own: shown, shown, plan: { kind: 'same' } });

function itemsOf({ items }: SchemaObject, plan: Plan): Shown {
  const shown = items === undefined || isList(items) ? true : items;
  return { ...plain(shown), plan: plan.kind === 'node' ? plan.items : { kind: 'same' } };
}

const isList = (items: NonNullable<SchemaObject['items']>): items is readonly JsonSchema[] =>
  Array.isArray(items);
