// Do arguments that pass the schema also pass the checks that only code can do? Runs class-validator's own checks and
// `@Check` methods on bare objects of the classes: no constructor is called, nothing sent is written to.
import type { JsonObject } from '../../json/json-value.ts';
import type { ArgumentClass } from '../../metadata/declared-type.ts';
import { hasPart } from '../argument-types/argument-type.ts';
import type { ClassModel, ClassModels } from '../class-model/class-model.ts';
import type { ArgumentCheck } from '../tool-contract.ts';
import { bareInstance } from './bare-instance.ts';
import { failuresIn, modelsByPrototype } from './instance-failures.ts';
import { maskSecrets } from './mask-secrets.ts';

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

const hasOwnChecks = ({ fields, checks }: ClassModel): boolean =>
  checks.length > 0 ||
  fields.some(({ checked, type }) => checked.length > 0 || hasPart(type, ({ kind }) => kind === 'date'));
