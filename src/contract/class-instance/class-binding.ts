// How do interpreted arguments reach a tool that is a class, or a method with a class of arguments?
import type { JsonObject } from '../../json/json-value.ts';
import type { ArgumentClass } from '../../metadata/declared-type.ts';
import type { ClassModel, ClassModels } from '../class-model/class-model.ts';
import { writeFields, type Writing } from './class-values.ts';
import { refuseInitialisers } from '../class-model/initialisers.ts';
import type { ApplicationContext, ClassBinding, MethodBinding } from '../tool-contract.ts';

export const classBinding = (Class: ArgumentClass, models: ClassModels): ClassBinding => ({
  kind: 'class',
  Class,
  method: 'execute',
  fill(instance, values, context) {
    fillFields(instance, models.get(Class), values, writing(models, context));
  },
});

/** A method of a provider, and the class of its arguments. */
export interface MethodParts {
  readonly Owner: ArgumentClass;
  readonly method: string;
  readonly Arguments: ArgumentClass;
  readonly models: ClassModels;
}

export const methodBinding = ({ Owner, method, Arguments, models }: MethodParts): MethodBinding => ({
  kind: 'method',
  Owner,
  method,
  makeArguments(values, context) {
    const instance = new Arguments();
    fillFields(instance, models.get(Arguments), values, writing(models, context));
    return instance;
  },
});

const writing = (models: ClassModels, context: ApplicationContext): Writing => ({
  models,
  context,
  make(Class) {
    const instance = new Class();
    const model = models.get(Class);
    if (model !== undefined) refuseInitialisers(instance, model);
    return instance;
  },
});

function fillFields(
  instance: object,
  model: ClassModel | undefined,
  values: JsonObject,
  around: Writing,
): void {
  if (model === undefined) return;
  refuseInitialisers(instance, model);
  writeFields(instance, model, values, around);
}
