import { ToolmendError } from '../errors/errors.ts';
import { pointerTo } from '../json/json-pointer.ts';
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
  MethodBinding,
  ToolContract,
} from '../tool/tool-contract.ts';
import { type ArgumentType, hasPart, withoutNull } from './argument-type.ts';
import { refuseInitialisers } from './check-class.ts';
import { type ClassModel, type ClassModels, type FieldModel, discriminatorValues } from './class-model.ts';
import type { Constraint } from './class-validator.ts';
import type { ArgumentClass } from './declarations.ts';

// Everything is written as own data, nothing undeclared, and always a copy: what one call does to its arguments shows
// nowhere else.
/** What writing needs beside the values. */
export interface Writing {
  readonly models: ClassModels;
  /** `unknown`: nothing is executed, so its values don't matter. */
  readonly context: ApplicationContext | 'unknown';
  /** Makes the object for a nested class. */
  make(Class: ArgumentClass): object;
}

/** Writes arguments, defaults of what is absent, and the application's values, in this order. */
function writeFields(target: object, model: ClassModel, values: JsonObject, writing: Writing): void {
  for (const { name, type, facts } of model.fields) {
    const sent = Object.hasOwn(values, name) ? values[name] : facts.default;
    if (sent !== undefined) defineField(target, name, instanceOf(type, sent, writing));
  }
  for (const { name, key } of model.contextFields) {
    defineField(target, name, contextValue(writing.context, key, `${model.name}.${name}`));
  }
}

/** A tool must not run without what keeps it to one tenant or one user. */
function contextValue(context: Writing['context'], key: string, where: string): unknown {
  if (context === 'unknown') return undefined;
  if (Object.hasOwn(context, key)) return context[key];
  throw new ToolmendError(
    'missing-context',
    `${where} comes from the context value ${key}, which neither the registry nor the call gives: ` +
      `pass context: { ${key}: … }, with undefined if it may be missing`,
  );
}

// Never an assignment: a setter of the class, or of Object itself, would take the value.
const defineField = (target: object, name: string, value: unknown): void => {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
};

/** The value as the class declares it: nested instances made, dates read, the rest copied. */
function instanceOf(type: ArgumentType, value: JsonValue, writing: Writing): unknown {
  const inside = (part: ArgumentType, of: JsonValue): unknown => instanceOf(part, of, writing);
  switch (type.kind) {
    case 'date':
      return typeof value === 'string' ? new Date(value) : value;
    case 'class':
      return nestedInstance(type.Class, value, writing);
    case 'oneOf':
      return nestedInstance(memberFor(type, value, writing.models), value, writing);
    case 'array':
      return isJsonArray(value) ? value.map((item) => inside(type.items, item)) : copyJson(value);
    case 'tuple':
      return isJsonArray(value)
        ? value.map((item, place) => inside(type.items[place] ?? anything, item))
        : value;
    case 'record':
      return isJsonObject(value)
        ? objectOf(Object.entries(value).map(([key, member]) => [key, inside(type.values, member)] as const))
        : copyJson(value);
    case 'nullable':
      return value === null ? null : inside(type.type, value);
    case 'union':
      return inside(type.members.find((member) => isShapedLike(member, value)) ?? anything, value);
    default:
      return copyJson(value);
  }
}

const anything: ArgumentType = { kind: 'object' };

function nestedInstance(Class: ArgumentClass | undefined, value: JsonValue, writing: Writing): unknown {
  const model = Class === undefined ? undefined : writing.models.get(Class);
  if (model === undefined || !isJsonObject(value)) return copyJson(value);
  const instance = writing.make(model.Class);
  writeFields(instance, model, value, writing);
  return instance;
}

function memberFor(
  { Classes, discriminator }: Extract<ArgumentType, { readonly kind: 'oneOf' }>,
  value: JsonValue,
  models: ClassModels,
): ArgumentClass | undefined {
  const named = isJsonObject(value) ? ownValue(value, discriminator) : undefined;
  return Classes.find((Class) =>
    discriminatorValues(models.get(Class), discriminator).some((known) => known === named),
  );
}

/** Members of a union differ by JSON type, so the type of the value tells which one it is. */
function isShapedLike(member: ArgumentType, value: JsonValue): boolean {
  const type = jsonTypeOf(value);
  if (member.kind === 'date') return type === 'string';
  if (member.kind === 'array' || member.kind === 'tuple') return type === 'array';
  return type === 'object' && ['class', 'oneOf', 'record', 'object'].includes(member.kind);
}

// On an object of the class that no constructor has seen: fields, and the class's methods.
/** An instance as a call would fill it, defaults included; nested instances are made the same way. */
function bareInstance(model: ClassModel, value: JsonObject, models: ClassModels): object {
  const bare = bareObject(model.Class);
  writeFields(bare, model, value, { models, context: 'unknown', make: bareObject });
  return bare;
}

function bareObject(Class: ArgumentClass): object {
  const bare: unknown = Object.create(Class.prototype);
  return typeof bare === 'object' && bare !== null ? bare : {};
}

// It has not validated, so nothing passes; the model reads no exception's text.
function brokenCheck(path: string, check: string, cause: unknown): CheckFailure {
  // Nobody waits for it, so its rejection must not end the process.
  if (isPromiseLike(cause)) Promise.resolve(cause).catch(() => undefined);
  const reason = isPromiseLike(cause) ? new TypeError(`the check ${check} returned a promise`) : cause;
  return { path, check, message: `could not be checked: ${check} failed`, cause: reason };
}

const isPromiseLike = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function';

// Null passes where the type allows it.
/** The failures of one field of an object; `path` is the object's. */
function fieldFailures(field: FieldModel, object: object, path: string): readonly CheckFailure[] {
  if (field.checked.length === 0) return [];
  const value: unknown = Reflect.get(object, field.name);
  const place = pointerTo(path, field.name);
  if (value === null && field.type.kind === 'nullable') return [];
  const [first] = field.checked;
  try {
    if (!field.conditions.every((holds) => holds(object, value))) return [];
  } catch (error) {
    return [brokenCheck(place, first?.name ?? '', error)];
  }
  return field.checked.flatMap((constraint) => {
    if (constraint.reach === 'items' && Array.isArray(value)) {
      return itemFailures(constraint, { list: value, type: field.type, object, place });
    }
    return valueFailures(constraint, value, object, place);
  });
}

interface CheckedList {
  readonly list: readonly unknown[];
  readonly type: ArgumentType;
  readonly object: object;
  readonly place: string;
}

function itemFailures(
  constraint: Constraint,
  { list, type, object, place }: CheckedList,
): readonly CheckFailure[] {
  const bare = withoutNull(type);
  const mayBeNull = bare.kind === 'array' && bare.items.kind === 'nullable';
  return list.flatMap((item, index) =>
    item === null && mayBeNull ? [] : valueFailures(constraint, item, object, pointerTo(place, index)),
  );
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
    const passes = check.passes(value, object);
    if (isPromiseLike(passes)) return [brokenCheck(path, name, passes)];
    if (passes) return [];
    const said = check.message(value, object);
    // class-validator asks nobody to write a sentence.
    return [{ path, check: name, message: said.trim() === '' ? `is refused by the check ${name}` : said }];
  } catch (error) {
    return [brokenCheck(path, name, error)];
  }
}

// It sees the fields alone: the object was never constructed.
/** Empty if the method returns true; else its text, for the object as a whole. Any other answer is the author's mistake. */
function checkMethodFailures(object: object, name: string, path: string): readonly CheckFailure[] {
  try {
    const method: unknown = Reflect.get(object, name);
    const result: unknown = isMethod(method) ? Reflect.apply(method, object, []) : undefined;
    if (result === true) return [];
    if (isPromiseLike(result)) return [brokenCheck(path, name, result)];
    if (typeof result === 'string' && result !== '') return [{ path, check: name, message: result }];
    return [brokenCheck(path, name, noAnswer(name, result))];
  } catch (error) {
    return [brokenCheck(path, name, error)];
  }
}

const isMethod = (value: unknown): value is (this: object) => unknown => typeof value === 'function';

const noAnswer = (name: string, result: unknown): TypeError =>
  new TypeError(
    `the check ${name} returned ${shown(result)}: return true if the arguments hold, else the sentence that the model reads`,
  );

function shown(result: unknown): string {
  if (result === '') return 'an empty text';
  return result === false || result === undefined ? String(result) : `a value of type ${typeof result}`;
}

/** Models by what an instance shows of its class. */
const modelsByPrototype = (models: ClassModels): ReadonlyMap<unknown, ClassModel> =>
  new Map([...models.values()].map((model) => [model.Class.prototype, model] as const));

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

// Never: every value of a `@Secret` field is taken out of it.
/** The failures, with all secrets in the object masked. */
function maskSecrets(
  failures: readonly CheckFailure[],
  object: object,
  byPrototype: ReadonlyMap<unknown, ClassModel>,
): readonly CheckFailure[] {
  if (failures.length === 0) return failures;
  const secrets = secretTexts(object, byPrototype, 'open');
  if (secrets.length === 0) return failures;
  return failures.map((failure) => ({ ...failure, message: masked(failure.message, secrets) }));
}

// The longest first, so that a secret within a secret leaves nothing of either.
const masked = (message: string, secrets: readonly string[]): string =>
  secrets
    .toSorted((left, right) => right.length - left.length)
    .reduce((text, secret) => text.replaceAll(secret, '[secret]'), message);

/** Every text and number in or below a secret field. */
function secretTexts(
  value: unknown,
  byPrototype: ReadonlyMap<unknown, ClassModel>,
  inside: 'open' | 'secret',
): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') {
    return inside === 'secret' && value !== '' ? [String(value)] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const model = byPrototype.get(Object.getPrototypeOf(value));
  const secretFields = new Set(
    model?.fields.flatMap(({ name, facts }) => (facts.marks.has('secret') ? [name] : [])),
  );
  return Object.entries(value).flatMap(([key, member]) =>
    secretTexts(member, byPrototype, secretFields.has(key) ? 'secret' : inside),
  );
}

// class-validator's `message`, of the constraints that are keywords: the schema has refused the value already, and
// only the sentence is asked for.
/** The sentences for a value that the schema refuses, by place; undefined if the author wrote none. */
function authorSentences(Root: ArgumentClass, models: ClassModels): ArgumentCheck | undefined {
  const root = models.get(Root);
  const hasAny = [...models.values()].some(({ fields }) =>
    fields.some(({ keyworded }) => keyworded.some(isWorded)),
  );
  if (root === undefined || !hasAny) return undefined;
  const byPrototype = modelsByPrototype(models);
  return (value: JsonObject) => {
    const bare = bareInstance(root, value, models);
    return maskSecrets(sentencesIn(bare, '', byPrototype), bare, byPrototype);
  };
}

const isWorded = ({ check }: Constraint): boolean => check?.wording === 'author';

const spoken = (field: FieldModel): FieldModel => ({ ...field, checked: field.keyworded.filter(isWorded) });

/** A check that breaks over a value of another type has nothing to say. */
function sentencesIn(
  value: unknown,
  path: string,
  byPrototype: ReadonlyMap<unknown, ClassModel>,
): readonly CheckFailure[] {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [];
  const model = byPrototype.get(Object.getPrototypeOf(value));
  const own = model?.fields.flatMap((field) => fieldFailures(spoken(field), value, path)) ?? [];
  const below = Object.entries(value).flatMap(([key, member]) =>
    sentencesIn(member, pointerTo(path, key), byPrototype),
  );
  return [...own.filter((failure) => !('cause' in failure)), ...below];
}

// Runs class-validator's own checks and `@Check` methods on bare objects of the classes: no constructor is called,
// nothing sent is written to.
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

/** What there is nothing of is absent. */
export function besideSchema(
  Root: ArgumentClass,
  models: ClassModels,
): Pick<ToolContract, 'check' | 'sentences'> {
  const check = classCheck(Root, models);
  const sentences = authorSentences(Root, models);
  return {
    ...(check === undefined ? {} : { check }),
    ...(sentences === undefined ? {} : { sentences }),
  };
}

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
