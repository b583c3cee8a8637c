// On what do checks run? On an object of the class that no constructor has seen: fields, and the class's methods.
import type { JsonObject } from '../../json/json-value.ts';
import type { ArgumentClass } from '../../metadata/declared-type.ts';
import type { ClassModel, ClassModels } from '../class-model/class-model.ts';
import { writeFields } from './class-values.ts';

/** An instance as a call would fill it, defaults included; nested instances are made the same way. */
export function bareInstance(model: ClassModel, value: JsonObject, models: ClassModels): object {
  const bare = bareObject(model.Class);
  writeFields(bare, model, value, { models, context: 'unknown', make: bareObject });
  return bare;
}

function bareObject(Class: ArgumentClass): object {
  const bare: unknown = Object.create(Class.prototype);
  return typeof bare === 'object' && bare !== null ? bare : {};
}
