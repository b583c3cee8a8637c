// What fails in a filled object, and in the objects below it?
import { pointerTo } from '../../json/json-pointer.ts';
import type { ClassModel, ClassModels } from '../class-model/class-model.ts';
import type { CheckFailure } from '../tool-contract.ts';
import { checkMethodFailures } from './check-method.ts';
import { fieldFailures } from './field-check.ts';

/** Models by what an instance shows of its class. */
export const modelsByPrototype = (models: ClassModels): ReadonlyMap<unknown, ClassModel> =>
  new Map([...models.values()].map((model) => [model.Class.prototype, model] as const));

/** What fails in a value and below it; `@Check` methods are asked only about objects whose fields hold. */
export function failuresIn(
  value: unknown,
  path: string,
  byPrototype: ReadonlyMap<unknown, ClassModel>,
): readonly CheckFailure[] {
  if (typeof value !== 'object' || value === null) return [];
  if (value instanceof Date) return dateFailures(value, path);
  const model = byPrototype.get(Object.getPrototypeOf(value));
  const own = model?.fields.flatMap((field) => fieldFailures(field, value, path)) ?? [];
  const below = Object.entries(value).flatMap(([key, member]) =>
    failuresIn(member, pointerTo(path, key), byPrototype),
  );
  const failures = [...own, ...below];
  if (failures.length > 0 || model === undefined) return failures;
  return model.checks.flatMap((name) => checkMethodFailures(value, name, path));
}

/** A text may have the form of a date and be none, as a leap second has. */
const dateFailures = (date: Date, path: string): readonly CheckFailure[] =>
  Number.isNaN(date.getTime()) ? [{ path, check: 'isDate', message: 'must be a date that exists' }] : [];
