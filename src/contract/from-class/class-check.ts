// Do arguments that pass the schema also pass the checks that only code can do? Runs class-validator's own checks and
// `@Check` methods on bare objects of the classes: no constructor is called, nothing sent is written to.
import { pointerTo } from '../../json/json-pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import type { ArgumentClass } from '../../metadata/declared-type.ts';
import { hasPart } from './argument-type.ts';
import { checkMethodFailures } from './check-method.ts';
import type { ClassModel, ClassModels, FieldModel } from './class-model.ts';
import { writeFields } from './class-values.ts';
import { fieldFailures } from './field-check.ts';
import { maskSecrets } from './mask-secrets.ts';
import type { ArgumentCheck, CheckFailure } from '../tool-contract.ts';

/** The check of a class's arguments; undefined if the schema says everything. */
export function classCheck(Root: ArgumentClass, models: ClassModels): ArgumentCheck | undefined {
  const root = models.get(Root);
  if (root === undefined || ![...models.values()].some(hasOwnChecks)) return undefined;
  const byPrototype = modelsByPrototype(models);
  return (value: JsonObject) => {
    const bare = bareInstance(root, value, models);
    return maskSecrets(failuresIn(bare, '', byPrototype), bare, byPrototype);
  };
}

/** What the checks say of a whole object that an author gave as an example. */
export const checkExample = (
  model: ClassModel,
  value: JsonValue,
  models: ClassModels,
): readonly CheckFailure[] =>
  isJsonObject(value) ? failuresIn(bareInstance(model, value, models), '', modelsByPrototype(models)) : [];

/** What the checks say of one field's value, the other fields being absent. */
export function checkFieldValue(
  model: ClassModel,
  field: FieldModel,
  value: JsonValue,
  models: ClassModels,
): readonly CheckFailure[] {
  // Whether a condition holds depends on the other fields.
  if (field.presence === 'conditional') return [];
  const bare = bareInstance({ ...model, fields: [field] }, objectOf([[field.name, value]]), models);
  const below = failuresIn(Reflect.get(bare, field.name), '', modelsByPrototype(models));
  return [...fieldFailures(field, bare, ''), ...below];
}

const modelsByPrototype = (models: ClassModels): ReadonlyMap<unknown, ClassModel> =>
  new Map([...models.values()].map((model) => [model.Class.prototype, model] as const));

function bareInstance(model: ClassModel, value: JsonObject, models: ClassModels): object {
  const bare = bareObject(model.Class);
  writeFields(bare, model, value, { models, context: {}, make: bareObject });
  return bare;
}

function bareObject(Class: ArgumentClass): object {
  const bare: unknown = Object.create(Class.prototype);
  return typeof bare === 'object' && bare !== null ? bare : {};
}

const hasOwnChecks = ({ fields, checks }: ClassModel): boolean =>
  checks.length > 0 ||
  fields.some(({ checked, type }) => checked.length > 0 || hasPart(type, ({ kind }) => kind === 'date'));

/** What fails in a value and below it; `@Check` methods are asked only about objects whose fields hold. */
function failuresIn(
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
