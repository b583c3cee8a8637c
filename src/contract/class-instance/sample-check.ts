// Do the checks that only code can do accept a value that an author wrote as valid?
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import type { ClassModel, ClassModels, FieldModel } from '../class-model/class-model.ts';
import type { CheckFailure } from '../tool-contract.ts';
import { bareInstance } from './bare-instance.ts';
import { fieldFailures } from './field-check.ts';
import { failuresIn, modelsByPrototype } from './instance-failures.ts';

/**
 * What the checks say of a whole object that an author gave as an example. Examples are shown, so they leave secrets out:
 * what would be asked of a secret, or of an object with one that has to be there, is not asked.
 */
export const checkExample = (
  model: ClassModel,
  value: JsonValue,
  models: ClassModels,
): readonly CheckFailure[] =>
  isJsonObject(value)
    ? failuresIn(bareInstance(model, value, models), '', modelsByPrototype(withoutSecrets(models)))
    : [];

const withoutSecrets = (models: ClassModels): ClassModels =>
  new Map(
    [...models].map(([Class, model]) => {
      const secrets = model.fields.filter(({ facts }) => facts.marks.has('secret'));
      const fields = model.fields.filter((field) => !secrets.includes(field));
      const isComplete = secrets.every(({ presence }) => presence !== 'required');
      return [Class, { ...model, fields, checks: isComplete ? model.checks : [] }] as const;
    }),
  );

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
