import { memoize } from '../collections/memoize.ts';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonObject, sameValue } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { SchemaView, SchemaViews } from '../schema/schema-view.ts';
import { pathInLink } from '../validate/strict-checks.ts';
import { isNullWord } from '../json/null-words.ts';
import { normalizeMember } from './read-text.ts';
import { type Location, type Repair, type RepairContext, failedRepair } from './repair-context.ts';
import type { RepairRecord } from './repair-rule.ts';
import { readingRules } from './rule-table.ts';

type Fitting = Repair & { readonly kind: 'fits' };

/**
 * Repairs a value against each branch. Takes the result if all branches that fit the whole union
 * agree on one value.
 */
export function repairUnion(context: RepairContext, value: JsonValue, location: Location): Repair {
  const types = location.types ?? context.views.typesOf(location.plan.schema);
  const union = location.union ?? location.plan.schema;
  const branches = context.views.branchesOf(location.plan.schema);
  // The arguments as a whole may be in an envelope.
  const possible =
    location.path === '' ? branches : possibleBranches(value, branches, context.views);
  const results = possible
    .map((schema) =>
      context.repair(value, {
        ...location,
        plan: location.plan.branch(schema),
        types,
        union,
      }),
    )
    .filter((result) => result.kind === 'fits')
    .filter((result) => context.fits(result.value, location));
  const [first, ...others] = results.filter(
    (result) => !results.some((other) => isFurtherThan(result, other)),
  );
  if (first === undefined) return failedRepair;
  const second = others.find((other) => !sameValue(first.value, other.value));
  if (second === undefined) return first;
  context.noteAmbiguity(location.path, { sentValue: value, one: first.value, other: second.value });
  return failedRepair;
}

/**
 * Whether a result has further edits than another one that only reads the value that a text spells.
 * That reading alone is meant, so the other result is dropped.
 */
const isFurtherThan = ({ records }: Fitting, other: Fitting): boolean =>
  records.length > other.records.length &&
  other.records.every(
    (reading) =>
      readingRules.has(reading.rule) && records.some((record) => isSameReading(record, reading)),
  );

/**
 * Whether two records read the same text as the same value, at one place or in a container that was
 * put around it.
 */
const isSameReading = (record: RepairRecord, reading: RepairRecord): boolean =>
  record.rule === reading.rule &&
  `${record.path}/`.startsWith(`${reading.path}/`) &&
  JSON.stringify(resultOf(record)) === JSON.stringify(resultOf(reading));

const resultOf = ({ operations: [operation] }: RepairRecord): JsonValue =>
  operation?.op === 'replace' ? operation.value : null;

/**
 * Leaves out branches that no repair can reach: those that require one word under a key where the
 * object has another word. This only saves time.
 */
export function possibleBranches(
  value: JsonValue,
  branches: readonly JsonSchema[],
  views: SchemaViews,
): readonly JsonSchema[] {
  if (!isJsonObject(value)) return branches;
  return branches.filter((branch) => !isContradicted(value, views.of(branch), views));
}

function isContradicted(value: JsonObject, view: SchemaView, views: SchemaViews): boolean {
  if (view.types.size !== 1 || !view.types.has('object')) return false;
  return discriminatorsOf(views)(view).some(([key, word]) => {
    const member = ownValue(value, key);
    return (
      typeof member === 'string' &&
      isWord(member) &&
      normalizeMember(member) !== normalizeMember(word) &&
      member !== word
    );
  });
}

/** Whether rules can read text only as a spelling of an enum member. */
const isWord = (text: string): boolean =>
  text.trim() !== '' && !isNullWord(text) && pathInLink(text) === undefined;

/** The keys whose values must be one word. */
const discriminatorsOf = memoize((views: SchemaViews) =>
  memoize(({ properties }: SchemaView) =>
    [...properties].flatMap(([key, schema]) => {
      const { members, types, branches } = views.of(schema);
      const [word, ...others] = members ?? [];
      const isOne = typeof word === 'string' && others.length === 0 && branches.length === 0;
      return isOne && types.has('string') ? [[key, word] as const] : [];
    }),
  ),
);
