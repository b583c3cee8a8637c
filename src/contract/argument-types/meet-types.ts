// Two decorators speak of one field's type: what do they say together, or do they contradict each other?
import type { EnumMember, ScalarKind } from '../../metadata/declared-type.ts';
import type { ArgumentType } from './argument-type.ts';

/** What both say, the narrower of the two; undefined: they contradict. Null that `said` allows stays allowed. */
export function meetTypes(said: ArgumentType, also: ArgumentType): ArgumentType | undefined {
  if (also.kind === 'open' || said.kind === 'broken') return said;
  if (said.kind === 'open' || also.kind === 'broken') return also;
  if (said.kind === 'nullable') return rebuilt(meetTypes(said.type, withoutNullOf(also)), nullableOf);
  if (also.kind === 'nullable') return meetTypes(said, also.type);
  return (
    meetValues(said, also) ?? meetLists(said, also) ?? meetObjects(said, also) ?? meetScalars(said, also)
  );
}

const withoutNullOf = (type: ArgumentType): ArgumentType => (type.kind === 'nullable' ? type.type : type);

const nullableOf = (type: ArgumentType): ArgumentType => ({ kind: 'nullable', type });

const rebuilt = (
  inner: ArgumentType | undefined,
  build: (inner: ArgumentType) => ArgumentType,
): ArgumentType | undefined => (inner === undefined ? undefined : build(inner));

function meetValues(said: ArgumentType, also: ArgumentType): ArgumentType | undefined {
  const left = valuesOf(said);
  const right = valuesOf(also);
  if (left === undefined && right === undefined) return undefined;
  const both = (left ?? right ?? []).filter((value) => fits(value, said) && fits(value, also));
  const [only] = both;
  if (only === undefined) return undefined;
  const isConstant = said.kind === 'const' || also.kind === 'const';
  return isConstant ? { kind: 'const', value: only } : { kind: 'enum', values: both };
}

function valuesOf(type: ArgumentType): readonly EnumMember[] | undefined {
  if (type.kind === 'const') return [type.value];
  return type.kind === 'enum' ? type.values : undefined;
}

function fits(value: EnumMember, type: ArgumentType): boolean {
  switch (type.kind) {
    case 'const':
      return type.value === value;
    case 'enum':
      return type.values.includes(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type.kind;
  }
}

function meetLists(said: ArgumentType, also: ArgumentType): ArgumentType | undefined {
  if (said.kind === 'array' && also.kind === 'array') {
    return rebuilt(meetTypes(said.items, also.items), (items) => ({ kind: 'array', items }));
  }
  if (said.kind === 'array' && also.kind === 'tuple') return meetLists(also, said);
  if (said.kind !== 'tuple' || also.kind !== 'array') return undefined;
  const items = said.items.map((item) => meetTypes(item, also.items));
  return items.every(isType) ? { kind: 'tuple', items } : undefined;
}

const isType = (type: ArgumentType | undefined): type is ArgumentType => type !== undefined;

function meetObjects(said: ArgumentType, also: ArgumentType): ArgumentType | undefined {
  if (said.kind === 'class' && also.kind === 'class') return said.Class === also.Class ? said : undefined;
  if (also.kind === 'object' && isObjectKind(said.kind)) return said;
  if (said.kind === 'object' && isObjectKind(also.kind)) return also;
  return undefined;
}

const isObjectKind = (kind: ArgumentType['kind']): boolean =>
  kind === 'class' || kind === 'oneOf' || kind === 'record' || kind === 'object';

function meetScalars(said: ArgumentType, also: ArgumentType): ArgumentType | undefined {
  if (said.kind === also.kind && scalarKinds.has(said.kind)) return said;
  if (said.kind === 'number' && also.kind === 'integer') return also;
  return said.kind === 'integer' && also.kind === 'number' ? said : undefined;
}

const scalarKinds: ReadonlySet<string> = new Set<ScalarKind>([
  'string',
  'number',
  'integer',
  'boolean',
  'date',
]);
