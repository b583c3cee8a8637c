// How are values judged where code must not be made from text? By @cfworker/json-schema, which walks the schema.
import { type Schema, validate } from '@cfworker/json-schema';
import { referencesIn, resolveReference } from '../../contract/judged-schema/local-references.ts';
import type { RootJudge, SchemaFailure } from '../../contract/schema-judge.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { mayTakeLong } from '../step-budget/may-take-long.ts';
import { StepBudget } from '../step-budget/step-budget.ts';
import { SchemaAdapter } from './adapt-schema.ts';
import { hasLongList, holdsUniqueItems } from './long-lists.ts';
import { failuresOf } from './failures-of-output.ts';

/**
 * For places that forbid code generation (Workers, `--disallow-code-generation-from-strings`): give it as `judge`.
 * Some thirty times slower than Ajv for a valid call; needs the package `@cfworker/json-schema`.
 */
export const interpretingJudge = (root: SchemaObject): RootJudge => {
  const budget = mayTakeLong(root) ? new StepBudget(steps) : undefined;
  const adapter = new SchemaAdapter(budget === undefined ? undefined : () => budget.step(undefined));
  const lookup: Record<string, Schema | boolean> = {};
  Reflect.setPrototypeOf(lookup, null);
  for (const reference of referencesIn(root)) {
    const target = resolveReference(reference, root);
    if (target !== undefined) lookup[reference] = adapter.adapt(target);
  }
  const isBounded = holdsUniqueItems(root) ? (value: JsonValue) => !hasLongList(value) : () => true;
  const outputOf = (value: JsonValue, schema: Schema | boolean, extent: 'first' | 'all') =>
    validate(value, schema, '2020-12', lookup, extent === 'first');
  const beyond: readonly SchemaFailure[] = [{ ...unreadable(root), keyword: 'budget_exceeded' }];
  const counted = <Answer>(value: JsonValue, judge: () => Answer, otherwise: Answer): Answer =>
    budget === undefined ? judge() : budget.within(value, judge, otherwise);
  return {
    compile: (part) => {
      const schema = adapter.adapt(part);
      const accepts = (value: JsonValue): boolean =>
        isBounded(value) && orFailing(() => outputOf(value, schema, 'first').valid, false);
      return (value) => counted(value, () => accepts(value), false);
    },
    failures: (value) => {
      if (!isBounded(value)) return beyond;
      const listed = (): readonly SchemaFailure[] => {
        const output = orFailing(() => outputOf(value, adapter.adapt(root), 'all').errors, undefined);
        return output === undefined ? [unreadable(root)] : failuresOf(output, { root, value });
      };
      return counted(value, listed, beyond);
    },
    ...(budget === undefined ? {} : { stepsTaken: () => budget.taken * stepWeight }),
  };
};

/** A step takes as long as so many of Ajv's, about. */
const stepWeight = 20;

/** Steps of one validation, if the schema could take steps without end. */
const steps = 5000;

const unreadable = (root: SchemaObject): SchemaFailure => ({
  keyword: 'not_plain',
  path: '',
  schemaPath: '#',
  schema: root,
});

/**
 * The library throws for a key with half a surrogate pair, which its locations can't name, and where more places fail
 * than a call takes arguments: such values don't pass.
 */
function orFailing<Made, Other>(make: () => Made, failing: Other): Made | Other {
  try {
    return make();
  } catch (error) {
    if (error instanceof URIError || error instanceof RangeError) return failing;
    throw error;
  }
}
