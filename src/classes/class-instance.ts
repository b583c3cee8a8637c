import { ToolmendError } from '../errors/errors.ts';
import { objectOf, ownValue } from '../collections/objects.ts';
import {
  type JsonObject,
  type JsonValue,
  copyJson,
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
} from '../json/value.ts';
import type {
  ApplicationContext,
  ClassBinding,
  Constructor,
  MethodBinding,
} from '../tool/tool-contract.ts';
import { type ArgumentType, type OneOfType, jsonKindOf } from './argument-type.ts';
import { requireInitialValues } from './check-class.ts';
import {
  type ClassModel,
  type ClassModels,
  type FieldModel,
  discriminatorValues,
  plainJson,
} from './class-model.ts';

interface InstanceOptions {
  readonly models: ClassModels;
  /** `none`: no code of the author runs, and context fields stay undefined. */
  readonly context: ApplicationContext | 'none';
}

/** The application makes the instance of a `@Tool` class; the binding fills it. */
export const classBinding = (models: ClassModels): ClassBinding => ({
  kind: 'class',
  Class: models.root.Class,
  method: 'execute',
  fill(instance, values, context) {
    requireInitialValues(instance, models.root);
    writeFields(instance, models.root, values, { models, context });
  },
});

/** `models`: the class of the method's arguments, with the classes of its fields. */
export const methodBinding = (
  Owner: Constructor,
  method: string,
  models: ClassModels,
): MethodBinding => ({
  kind: 'method',
  Owner,
  method,
  makeArguments: (values, context) => makeInstance(models.root, values, { models, context }),
});

/** An instance for checks, made without the constructor, context values and transforms. */
export const bareInstance = (model: ClassModel, values: JsonObject, models: ClassModels): object =>
  makeInstance(model, values, { models, context: 'none' });

function makeInstance(model: ClassModel, values: JsonObject, options: InstanceOptions): object {
  const isBare = options.context === 'none';
  const instance: object = isBare ? Object.create(model.Class.prototype) : new model.Class();
  if (!isBare) requireInitialValues(instance, model);
  writeFields(instance, model, values, options);
  return instance;
}

/**
 * Writes copies of the declared arguments, defaults of absent ones, and the application's values.
 */
function writeFields(
  target: object,
  model: ClassModel,
  values: JsonObject,
  options: InstanceOptions,
): void {
  for (const field of model.fields) {
    const { name, type, default: defaultValue } = field;
    const sentValue = ownValue(values, name);
    const value = sentValue === undefined ? defaultValue : sentValue;
    if (sentValue !== undefined && field.transforms.length > 0 && options.context !== 'none')
      defineField(target, name, transformField(field, sentValue, values, options));
    else if (value !== undefined) defineField(target, name, instanceOf(type, value, options));
  }
  for (const { name, key } of model.contextFields) {
    defineField(target, name, contextValue(options.context, key, `${model.name}.${name}`));
  }
}

/**
 * What `@Transform` makes of a value that was sent. JSON then becomes the instances and dates that
 * the type declares.
 */
function transformField(
  { name, type, transforms }: FieldModel,
  sentValue: JsonValue,
  values: JsonObject,
  options: InstanceOptions,
): unknown {
  let value: unknown = copyJson(sentValue);
  for (const transform of transforms) value = transform(name, value, values);
  const json = plainJson(value);
  return json === undefined ? value : instanceOf(type, json, options);
}

/**
 * Throws if the value is missing: a tool must not run without the value that limits it to one
 * tenant or user.
 */
function contextValue(
  context: InstanceOptions['context'],
  key: string,
  fieldName: string,
): unknown {
  if (context === 'none') return undefined;
  if (Object.hasOwn(context, key)) return context[key];
  throw new ToolmendError(
    'missing-context',
    `${fieldName} comes from the context value ${key}, which neither the registry nor the call gives: ` +
      `pass context: { ${key}: … }, with undefined if it may be missing`,
  );
}

/**
 * Defines a field that is there already, because a setter of the class or of Object.prototype could
 * swallow the value. An assignment does the same for a new field, in a tenth of the time.
 */
function defineField(target: object, name: string, value: unknown): void {
  if (!(name in target) && Reflect.set(target, name, value)) return;
  Object.defineProperty(target, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/** A copy of the value with the instances and dates that its type declares. */
function instanceOf(type: ArgumentType, value: JsonValue, options: InstanceOptions): unknown {
  const instanceOfPart = (part: ArgumentType | undefined, member: JsonValue): unknown =>
    part === undefined ? copyJson(member) : instanceOf(part, member, options);
  switch (type.kind) {
    case 'date':
      return typeof value === 'string' ? new Date(value) : value;
    case 'class':
      return nestedInstance(type.Class, value, options);
    case 'oneOf':
      return nestedInstance(memberClass(type, value, options.models), value, options);
    case 'array':
      return isJsonArray(value)
        ? value.map((item) => instanceOfPart(type.items, item))
        : copyJson(value);
    case 'tuple':
      return isJsonArray(value)
        ? value.map((item, index) => instanceOfPart(type.items[index], item))
        : copyJson(value);
    case 'record':
      return isJsonObject(value)
        ? objectOf(
            Object.entries(value).map(
              ([key, member]) => [key, instanceOfPart(type.values, member)] as const,
            ),
          )
        : copyJson(value);
    case 'nullable':
      return value === null ? null : instanceOfPart(type.type, value);
    case 'union':
      return instanceOfPart(memberFor(type.members, value), value);
    default:
      return copyJson(value);
  }
}

function nestedInstance(
  Class: Constructor | undefined,
  value: JsonValue,
  options: InstanceOptions,
): unknown {
  const model = Class === undefined ? undefined : options.models.byClass.get(Class);
  return model === undefined || !isJsonObject(value)
    ? copyJson(value)
    : makeInstance(model, value, options);
}

function memberClass(
  type: OneOfType,
  value: JsonValue,
  { byClass }: ClassModels,
): Constructor | undefined {
  const { Classes, discriminator } = type;
  const constant = isJsonObject(value) ? ownValue(value, discriminator) : undefined;
  return Classes.find((Class) =>
    discriminatorValues(byClass.get(Class), discriminator).some(
      (constantOfClass) => constantOfClass === constant,
    ),
  );
}

/** Members of a union differ in their JSON type. */
function memberFor(members: readonly ArgumentType[], value: JsonValue): ArgumentType | undefined {
  const type = jsonTypeOf(value);
  return members.find((member) => jsonKindOf(member) === (type === 'integer' ? 'number' : type));
}
