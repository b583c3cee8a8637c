import { ToolmendError } from '../errors/errors.ts';
import { pointerTo } from '../json/json-pointer.ts';
import { readPlainValue } from '../json/serialize.ts';
import {
  type JsonObject,
  type JsonValue,
  copyJson,
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
  objectOf,
  ownValue,
} from '../json/value.ts';
import type {
  ApplicationContext,
  ArgumentCheck,
  CheckFailure,
  ClassBinding,
  Constructor,
  MethodBinding,
  ToolContract,
} from '../tool/tool-contract.ts';
import { type ArgumentType, hasKind, isObjectKind, withoutNull } from './argument-type.ts';
import { requireInitialValues } from './check-class.ts';
import { type ClassModel, type ClassModels, type FieldModel, discriminatorValues } from './class-model.ts';
import type { Constraint } from './class-validator.ts';

/** How to make the instances for one value. */
interface Making {
  readonly models: ClassModels;
  /** `none`: context fields stay undefined, since nothing is executed. */
  readonly context: ApplicationContext | 'none';
  /** Makes an empty instance. */
  create(model: ClassModel): object;
}

/** The application makes the instance of a `@Tool` class; the binding fills it. */
export const classBinding = (models: ClassModels): ClassBinding => ({
  kind: 'class',
  Class: models.root.Class,
  method: 'execute',
  fill(instance, values, context) {
    requireInitialValues(instance, models.root);
    writeFields(instance, models.root, values, { models, context, create });
  },
});

/** `models`: of the class of the method's arguments. */
export const methodBinding = (Owner: Constructor, method: string, models: ClassModels): MethodBinding => ({
  kind: 'method',
  Owner,
  method,
  makeArguments: (values, context) => makeInstance(models.root, values, { models, context, create }),
});

function create(model: ClassModel): object {
  const instance = new model.Class();
  requireInitialValues(instance, model);
  return instance;
}

/** An instance for checks, with defaults, made without calling a constructor. */
const bareInstance = (model: ClassModel, values: JsonObject, models: ClassModels): object =>
  makeInstance(model, values, { models, context: 'none', create: createBare });

function createBare({ Class }: ClassModel): object {
  const bare: unknown = Object.create(Class.prototype);
  return typeof bare === 'object' && bare !== null ? bare : {};
}

function makeInstance(model: ClassModel, values: JsonObject, making: Making): object {
  const instance = making.create(model);
  writeFields(instance, model, values, making);
  return instance;
}

/** Writes copies of the declared arguments, defaults of absent ones, and the application's values. */
function writeFields(target: object, model: ClassModel, values: JsonObject, making: Making): void {
  for (const field of model.fields) {
    const { name, type, default: defaultValue } = field;
    const sent = ownValue(values, name);
    const value = sent === undefined ? defaultValue : sent;
    if (sent !== undefined && field.transforms.length > 0 && making.context !== 'none')
      defineField(target, name, transformed(field, sent, values, making));
    else if (value !== undefined) defineField(target, name, instanceOf(type, value, making));
  }
  for (const { name, key } of model.contextFields) {
    defineField(target, name, contextValue(making.context, key, `${model.name}.${name}`));
  }
}

/** What `@Transform` makes of a value that was sent. JSON then becomes the instances and dates that the type declares. */
function transformed(
  { name, type, transforms }: FieldModel,
  sent: JsonValue,
  values: JsonObject,
  making: Making,
): unknown {
  let value: unknown = copyJson(sent);
  for (const transform of transforms) value = transform(name, value, values);
  const reading = readPlainValue(value, maxDepth);
  return reading.kind === 'plain' ? instanceOf(type, reading.value, making) : value;
}

/** Levels of a value that is examined, at most. */
const maxDepth = 64;

/** Throws if the value is missing: a tool must not run without the value that limits it to one tenant or user. */
function contextValue(context: Making['context'], key: string, where: string): unknown {
  if (context === 'none') return undefined;
  if (Object.hasOwn(context, key)) return context[key];
  throw new ToolmendError(
    'missing-context',
    `${where} comes from the context value ${key}, which neither the registry nor the call gives: ` +
      `pass context: { ${key}: … }, with undefined if it may be missing`,
  );
}

/** Defines instead of assigning, because a setter of the class or of Object.prototype would swallow the value. */
const defineField = (target: object, name: string, value: unknown): void => {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
};

/** A copy of the value with the instances and dates that its type declares. */
function instanceOf(type: ArgumentType, value: JsonValue, making: Making): unknown {
  const inside = (part: ArgumentType | undefined, member: JsonValue): unknown =>
    part === undefined ? copyJson(member) : instanceOf(part, member, making);
  switch (type.kind) {
    case 'date':
      return typeof value === 'string' ? new Date(value) : value;
    case 'class':
      return nestedInstance(type.Class, value, making);
    case 'oneOf':
      return nestedInstance(memberClass(type, value, making.models), value, making);
    case 'array':
      return isJsonArray(value) ? value.map((item) => inside(type.items, item)) : copyJson(value);
    case 'tuple':
      return isJsonArray(value)
        ? value.map((item, index) => inside(type.items[index], item))
        : copyJson(value);
    case 'record':
      return isJsonObject(value)
        ? objectOf(Object.entries(value).map(([key, member]) => [key, inside(type.values, member)] as const))
        : copyJson(value);
    case 'nullable':
      return value === null ? null : inside(type.type, value);
    case 'union':
      return inside(
        type.members.find((member) => fitsJsonType(member, value)),
        value,
      );
    default:
      return copyJson(value);
  }
}

function nestedInstance(Class: Constructor | undefined, value: JsonValue, making: Making): unknown {
  const model = Class === undefined ? undefined : making.models.byClass.get(Class);
  return model === undefined || !isJsonObject(value) ? copyJson(value) : makeInstance(model, value, making);
}

function memberClass(
  { Classes, discriminator }: Extract<ArgumentType, { readonly kind: 'oneOf' }>,
  value: JsonValue,
  models: ClassModels,
): Constructor | undefined {
  const constant = isJsonObject(value) ? ownValue(value, discriminator) : undefined;
  return Classes.find((Class) =>
    discriminatorValues(models.byClass.get(Class), discriminator).some((known) => known === constant),
  );
}

/** Members of a union differ in their JSON type. Only members that `instanceOf` converts have to be found. */
function fitsJsonType(member: ArgumentType, value: JsonValue): boolean {
  const type = jsonTypeOf(value);
  if (member.kind === 'date') return type === 'string';
  if (member.kind === 'array' || member.kind === 'tuple') return type === 'array';
  return type === 'object' && isObjectKind(member.kind);
}

// Checks.

/**
 * `check`: class-validator's own checks, existing dates and `@Check` methods. `sentences`: the authors' messages for values
 * that the schema refuses. Each is absent if the classes don't need it. Both run on bare instances, which are copies.
 */
export function classChecks(models: ClassModels): Pick<ToolContract, 'check' | 'sentences'> {
  const all = [...models.byClass.values()];
  const isWordedByAuthor = ({ keyworded }: FieldModel): boolean => keyworded.some(hasAuthorsMessage);
  const hasSentences = all.some(({ fields }) => fields.some(isWordedByAuthor));
  return {
    ...(all.some(needsCheck) ? { check: checkOf(models, checksOf) } : {}),
    ...(hasSentences ? { sentences: checkOf(models, sentencesOf) } : {}),
  };
}

const needsCheck = ({ fields, checks }: ClassModel): boolean =>
  checks.length > 0 || fields.some(({ checked, type }) => checked.length > 0 || hasKind(type, 'date'));

type ModelsByPrototype = ReadonlyMap<unknown, ClassModel>;

const byPrototype = ({ byClass }: ClassModels): ModelsByPrototype =>
  new Map([...byClass.values()].map((model) => [model.Class.prototype, model] as const));

type FailuresOf = (value: unknown, path: string, models: ModelsByPrototype) => readonly CheckFailure[];

function checkOf(models: ClassModels, failuresOf: FailuresOf): ArgumentCheck {
  const known = byPrototype(models);
  return (value) => {
    const bare = bareInstance(models.root, value, models);
    return maskSecrets(failuresOf(bare, '', known), bare, known);
  };
}

/** The failures of a value and of everything in it. `@Check` methods run only on objects whose fields pass. */
function checksOf(value: unknown, path: string, models: ModelsByPrototype): readonly CheckFailure[] {
  if (typeof value !== 'object' || value === null) return [];
  if (value instanceof Date) return dateFailures(value, path);
  const model = models.get(Object.getPrototypeOf(value));
  const failures = [
    ...(model?.fields.flatMap((field) => fieldFailures(field, field.checked, value, path)) ?? []),
    ...below(value, path, models, checksOf),
  ];
  if (failures.length > 0 || model === undefined) return failures;
  return model.checks.flatMap((name) => methodFailures(value, name, path));
}

/** The authors' messages for a value that the schema refuses. A check that throws for a value of the wrong type has none. */
function sentencesOf(value: unknown, path: string, models: ModelsByPrototype): readonly CheckFailure[] {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [];
  const model = models.get(Object.getPrototypeOf(value));
  const own = model?.fields.flatMap((field) =>
    fieldFailures(field, field.keyworded.filter(hasAuthorsMessage), value, path),
  );
  return [
    ...(own ?? []).filter((failure) => !('cause' in failure)),
    ...below(value, path, models, sentencesOf),
  ];
}

const hasAuthorsMessage = ({ check }: Constraint): boolean => check?.wording === 'author';

const below = (
  value: object,
  path: string,
  models: ModelsByPrototype,
  failuresOf: FailuresOf,
): readonly CheckFailure[] =>
  Object.entries(value).flatMap(([key, member]) => failuresOf(member, pointerTo(path, key), models));

/** A string in the format of a date may not be one: a leap second. */
const dateFailures = (date: Date, path: string): readonly CheckFailure[] =>
  Number.isNaN(date.getTime()) ? [{ path, check: 'isDate', message: 'must be a date that exists' }] : [];

/** `path`: JSON Pointer of the object. Null passes if the type allows it. */
function fieldFailures(
  { name, type, conditions }: FieldModel,
  constraints: readonly Constraint[],
  object: object,
  path: string,
): readonly CheckFailure[] {
  const [first] = constraints;
  if (first === undefined) return [];
  const value: unknown = Reflect.get(object, name);
  const pointer = pointerTo(path, name);
  if (value === null && type.kind === 'nullable') return [];
  try {
    if (!conditions.every((holds) => holds(object, value))) return [];
  } catch (error) {
    return [brokenCheck(pointer, first.name, error)];
  }
  const bare = withoutNull(type);
  const mayHoldNull = bare.kind === 'array' && bare.items.kind === 'nullable';
  return constraints.flatMap((constraint) => {
    if (constraint.reach === 'value' || !Array.isArray(value))
      return valueFailures(constraint, value, object, pointer);
    return value.flatMap((item, index) =>
      item === null && mayHoldNull ? [] : valueFailures(constraint, item, object, pointerTo(pointer, index)),
    );
  });
}

function valueFailures(
  { check, condition, name }: Constraint,
  value: unknown,
  object: object,
  path: string,
): readonly CheckFailure[] {
  if (check === undefined) return [];
  try {
    if (condition?.(object, value) === false) return [];
    const result = check.passes(value, object);
    if (isPromiseLike(result)) return [brokenCheck(path, name, result)];
    if (result) return [];
    const message = check.message(value, object);
    // class-validator doesn't require a message.
    return [
      { path, check: name, message: message.trim() === '' ? `is refused by the check ${name}` : message },
    ];
  } catch (error) {
    return [brokenCheck(path, name, error)];
  }
}

/** Empty if the `@Check` method returns true, else the string that it returns. Any other result is a broken check. */
function methodFailures(object: object, name: string, path: string): readonly CheckFailure[] {
  try {
    const method: unknown = Reflect.get(object, name);
    const result: unknown = isMethod(method) ? Reflect.apply(method, object, []) : undefined;
    if (result === true) return [];
    if (isPromiseLike(result)) return [brokenCheck(path, name, result)];
    if (typeof result === 'string' && result !== '') return [{ path, check: name, message: result }];
    return [brokenCheck(path, name, wrongResult(name, result))];
  } catch (error) {
    return [brokenCheck(path, name, error)];
  }
}

const isMethod = (value: unknown): value is (this: object) => unknown => typeof value === 'function';

function wrongResult(name: string, result: unknown): TypeError {
  const isShown = result === false || result === undefined;
  const other = result === '' ? 'an empty string' : `a value of type ${typeof result}`;
  return new TypeError(
    `the check ${name} returned ${isShown ? String(result) : other}: ` +
      'return true if the arguments are right, else the sentence that the model reads',
  );
}

/** The failure of a check that threw or returned a promise. The model doesn't read the exception's text. */
function brokenCheck(path: string, check: string, cause: unknown): CheckFailure {
  // The promise is not awaited, and its rejection must not end the process.
  if (isPromiseLike(cause)) Promise.resolve(cause).catch(() => undefined);
  const reason = isPromiseLike(cause) ? new TypeError(`the check ${check} returned a promise`) : cause;
  return { path, check, message: `could not be checked: ${check} failed`, cause: reason };
}

const isPromiseLike = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function';

/** Replaces every value of a `@Secret` field in the messages. */
function maskSecrets(
  failures: readonly CheckFailure[],
  object: object,
  models: ModelsByPrototype,
): readonly CheckFailure[] {
  if (failures.length === 0) return failures;
  // The longest first: a secret may contain another one.
  const secrets = secretTexts(object, models, false).toSorted((left, right) => right.length - left.length);
  const masked = (message: string): string =>
    secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), message);
  return failures.map((failure) => ({ ...failure, message: masked(failure.message) }));
}

/** Every string and number in a secret field, at any depth. */
function secretTexts(value: unknown, models: ModelsByPrototype, isSecret: boolean): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') {
    return isSecret && value !== '' ? [String(value)] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const secretFields =
    models.get(Object.getPrototypeOf(value))?.fields.filter((field) => field.isSecret) ?? [];
  return Object.entries(value).flatMap(([key, member]) =>
    secretTexts(member, models, isSecret || secretFields.some(({ name }) => name === key)),
  );
}

/**
 * The failures of an `@Example` on a class. Examples have no secrets, because models see them: secret fields are not
 * checked, and `@Check` methods don't run on an object that requires a secret.
 */
export const checkExample = (
  model: ClassModel,
  value: JsonValue,
  models: ClassModels,
): readonly CheckFailure[] =>
  isJsonObject(value)
    ? checksOf(bareInstance(model, value, models), '', withoutSecrets(byPrototype(models)))
    : [];

const withoutSecrets = (models: ModelsByPrototype): ModelsByPrototype =>
  new Map(
    [...models].map(([prototype, model]) => {
      const secrets = model.fields.filter(({ isSecret }) => isSecret);
      const isComplete = secrets.every(({ presence }) => presence !== 'required');
      const fields = model.fields.filter(({ isSecret }) => !isSecret);
      return [prototype, { ...model, fields, checks: isComplete ? model.checks : [] }] as const;
    }),
  );

/** The failures of one field's value alone. A field with conditions, which depend on other fields, is not checked. */
export function checkFieldValue(
  model: ClassModel,
  field: FieldModel,
  value: JsonValue,
  models: ClassModels,
): readonly CheckFailure[] {
  if (field.presence === 'conditional') return [];
  const values: JsonObject = objectOf([[field.name, value]]);
  const bare = bareInstance({ ...model, fields: [field] }, values, models);
  return [
    ...fieldFailures(field, field.checked, bare, ''),
    ...checksOf(Reflect.get(bare, field.name), '', byPrototype(models)),
  ];
}
