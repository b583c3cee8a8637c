import { defined, isThenable } from '../collections/objects.ts';
import { pointerTo } from '../json/pointers.ts';
import { type JsonValue, isJsonObject } from '../json/value.ts';
import type { ArgumentCheck, CheckFailure, ToolContract } from '../tool/tool-contract.ts';
import { type ArgumentType, hasKind, withoutNull } from './argument-type.ts';
import { bareInstance } from './class-instance.ts';
import type { ClassModel, ClassModels, FieldModel } from './class-model.ts';
import type { Constraint } from './class-validator.ts';
import { constraintMapping } from './constraint-keywords.ts';

type Failures = readonly CheckFailure[];

/**
 * `check`: class-validator's own checks, existing dates and `@Check` methods. `sentences`: the
 * authors' messages for values that the schema refuses. Each is absent if the classes don't need
 * it. Both run on bare instances, which are copies.
 */
export function classChecks(models: ClassModels): Pick<ToolContract, 'check' | 'sentences'> {
  const all = [...models.byClass.values()];
  const hasChecks = all.some(
    ({ fields, checks }) =>
      checks.length > 0 ||
      fields.some(
        ({ checkedConstraints, type }) => checkedConstraints.length > 0 || hasKind(type, 'date'),
      ),
  );
  const hasSentences = all.some(({ fields }) =>
    fields.some((field) => wordedByAuthor(field).length > 0),
  );
  return defined({
    check: hasChecks ? withoutInstance(models, checkOf(models, checksOf)) : undefined,
    sentences: hasSentences ? checkOf(models, sentencesOf) : undefined,
  });
}

/**
 * Checks the sent values first, if no check reads the instance. Only a failure, whose message may
 * name the class, needs one.
 */
function withoutInstance(models: ClassModels, check: ArgumentCheck): ArgumentCheck {
  if (readsInstance(models)) return check;
  const checkedFields = models.root.fields.filter((field) => field.checkedConstraints.length > 0);
  return (value) =>
    checkedFields.every(
      (field) => fieldFailures(field, field.checkedConstraints, value, '').length === 0,
    )
      ? none
      : check(value);
}

/** class-validator's own checks read only the value. Dates and nested classes are instances. */
const readsInstance = ({ root, byClass }: ClassModels): boolean =>
  byClass.size > 1 ||
  root.checks.length > 0 ||
  root.fields.some(
    ({ name, type, presence, checkedConstraints }) =>
      hasKind(type, 'date') ||
      presence === 'conditional' ||
      name in root.Class.prototype ||
      checkedConstraints.some(
        (constraint) =>
          constraint.condition !== undefined || constraintMapping(constraint) === undefined,
      ),
  );

type ModelsByPrototype = ReadonlyMap<unknown, ClassModel>;

const byPrototype = ({ byClass }: ClassModels): ModelsByPrototype =>
  new Map([...byClass.values()].map((model) => [model.Class.prototype, model] as const));

type FailuresOf = (value: unknown, path: string, models: ModelsByPrototype) => Failures;

function checkOf(models: ClassModels, failuresOf: FailuresOf): ArgumentCheck {
  const modelsByPrototype = byPrototype(models);
  return (value) => {
    const bare = bareInstance(models.root, value, models);
    return maskSecrets(failuresOf(bare, '', modelsByPrototype), bare, modelsByPrototype);
  };
}

/**
 * The failures of a value and of everything in it. `@Check` methods run only on objects whose
 * fields pass.
 */
function checksOf(value: unknown, path: string, models: ModelsByPrototype): Failures {
  if (typeof value !== 'object' || value === null) return none;
  if (value instanceof Date) return dateFailures(value, path);
  const model = models.get(Object.getPrototypeOf(value));
  let failures: Failures = none;
  for (const field of model?.fields ?? none)
    failures = concatFailures(
      failures,
      fieldFailures(field, field.checkedConstraints, value, path),
    );
  failures = concatFailures(failures, memberFailures(value, path, models, checksOf));
  if (failures.length > 0 || model === undefined) return failures;
  return model.checks.flatMap((name) => methodFailures(value, name, path));
}

const none: readonly never[] = Object.freeze([]);

/** Nearly all values pass, and then no list is made. */
const concatFailures = (failures: Failures, others: Failures): Failures =>
  failures.length === 0 ? others : others.length === 0 ? failures : [...failures, ...others];

/**
 * The authors' messages for a value that the schema refuses. A check that throws for a value of the
 * wrong type has none.
 */
function sentencesOf(value: unknown, path: string, models: ModelsByPrototype): Failures {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [];
  const model = models.get(Object.getPrototypeOf(value));
  const ownFailures = model?.fields.flatMap((field) =>
    fieldFailures(field, wordedByAuthor(field), value, path),
  );
  return [
    ...(ownFailures ?? []).filter((failure) => !('cause' in failure)),
    ...memberFailures(value, path, models, sentencesOf),
  ];
}

const wordedByAuthor = ({ keywordConstraints }: FieldModel): readonly Constraint[] =>
  keywordConstraints.filter(({ check }) => check?.wording === 'author');

const memberFailures = (
  value: object,
  path: string,
  models: ModelsByPrototype,
  failuresOf: FailuresOf,
): Failures => {
  let failures: Failures = none;
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    // Only containers hold instances.
    if (typeof member === 'object' && member !== null)
      failures = concatFailures(failures, failuresOf(member, pointerTo(path, key), models));
  }
  return failures;
};

/** A string in the format of a date may not be one: a leap second. */
const dateFailures = (date: Date, path: string): Failures =>
  Number.isNaN(date.getTime())
    ? [{ path, check: 'isDate', message: 'must be a date that exists' }]
    : [];

/** `path`: JSON Pointer of the object. Null passes if the type allows it. */
function fieldFailures(
  { name, type, conditions }: FieldModel,
  constraints: readonly Constraint[],
  object: object,
  path: string,
): Failures {
  const [first] = constraints;
  if (first === undefined) return none;
  const value: unknown = Reflect.get(object, name);
  if (value === null && type.kind === 'nullable') return none;
  const pointer = pointerTo(path, name);
  try {
    if (!conditions.every((holds) => holds(object, value))) return none;
  } catch (error) {
    return [brokenCheck(pointer, first.name, error)];
  }
  let failures: Failures = none;
  for (const constraint of constraints)
    failures = concatFailures(
      failures,
      constraint.reach === 'value' || !Array.isArray(value)
        ? valueFailures(constraint, value, object, pointer)
        : elementFailures(constraint, value, { type, object, path: pointer }),
    );
  return failures;
}

function mayHoldNull(type: ArgumentType): boolean {
  const bare = withoutNull(type);
  return bare.kind === 'array' && bare.items.kind === 'nullable';
}

const elementFailures = (
  constraint: Constraint,
  list: readonly unknown[],
  {
    type,
    object,
    path,
  }: { readonly type: ArgumentType; readonly object: object; readonly path: string },
): Failures => {
  const isNullAllowed = mayHoldNull(type);
  return list.flatMap((item, index) =>
    item === null && isNullAllowed
      ? none
      : valueFailures(constraint, item, object, pointerTo(path, index)),
  );
};

function valueFailures(
  { check, condition, name }: Constraint,
  value: unknown,
  object: object,
  path: string,
): Failures {
  if (check === undefined) return none;
  try {
    if (condition?.(object, value) === false) return none;
    const result = check.passes(value, object);
    if (result === true) return none;
    if (isThenable(result)) return [brokenCheck(path, name, result)];
    if (result) return none;
    const message = check.message(value, object);
    // class-validator doesn't require a message.
    return [
      {
        path,
        check: name,
        message: message.trim() === '' ? `is refused by the check ${name}` : message,
      },
    ];
  } catch (error) {
    return [brokenCheck(path, name, error)];
  }
}

/**
 * Empty if the `@Check` method returns true, else the string that it returns. Any other result is a
 * broken check.
 */
function methodFailures(object: object, name: string, path: string): Failures {
  try {
    const method: unknown = Reflect.get(object, name);
    const result: unknown =
      typeof method === 'function' ? Reflect.apply(method, object, []) : undefined;
    if (result === true) return [];
    if (isThenable(result)) return [brokenCheck(path, name, result)];
    if (typeof result === 'string' && result !== '')
      return [{ path, check: name, message: result }];
    return [brokenCheck(path, name, wrongResult(name, result))];
  } catch (error) {
    return [brokenCheck(path, name, error)];
  }
}

function wrongResult(name: string, result: unknown): TypeError {
  const isShown = result === false || result === undefined;
  const other = result === '' ? 'an empty string' : `a value of type ${typeof result}`;
  return new TypeError(
    `the check ${name} returned ${isShown ? String(result) : other}: ` +
      'return true if the arguments are right, else the sentence that the model reads',
  );
}

/**
 * The failure of a check that threw or returned a promise. The model doesn't read the exception's
 * text.
 */
function brokenCheck(path: string, check: string, cause: unknown): CheckFailure {
  // The promise is not awaited, and its rejection must not end the process.
  if (isThenable(cause)) Promise.resolve(cause).catch(() => undefined);
  const reason = isThenable(cause) ? new TypeError(`the check ${check} returned a promise`) : cause;
  return { path, check, message: `could not be checked: ${check} failed`, cause: reason };
}

function maskSecrets(failures: Failures, object: object, models: ModelsByPrototype): Failures {
  if (failures.length === 0) return failures;
  // The longest first: a secret may contain another one.
  const secrets = secretTexts(object, models, false).toSorted(
    (left, right) => right.length - left.length,
  );
  const withMaskedSecrets = (message: string): string =>
    secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), message);
  return failures.map((failure) => ({ ...failure, message: withMaskedSecrets(failure.message) }));
}

function secretTexts(
  value: unknown,
  models: ModelsByPrototype,
  isSecret: boolean,
): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') {
    return isSecret && value !== '' ? [String(value)] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const fields = models.get(Object.getPrototypeOf(value))?.fields.filter(isSecretField) ?? [];
  return Object.entries(value).flatMap(([key, member]) =>
    secretTexts(member, models, isSecret || fields.some(({ name }) => name === key)),
  );
}

const isSecretField = ({ marks }: FieldModel): boolean => marks.has('secret');

/**
 * The failures of an `@Example` on a class. Examples have no secrets, because models see them:
 * secret fields are not checked, and `@Check` methods don't run on an object that requires a
 * secret.
 */
export const checkExample = (model: ClassModel, value: JsonValue, models: ClassModels): Failures =>
  isJsonObject(value)
    ? checksOf(bareInstance(model, value, models), '', withoutSecrets(byPrototype(models)))
    : [];

const withoutSecrets = (models: ModelsByPrototype): ModelsByPrototype =>
  new Map(
    [...models].map(([prototype, model]) => {
      const fields = model.fields.filter((field) => !isSecretField(field));
      const isComplete = !model.fields.some(
        (field) => isSecretField(field) && field.presence === 'required',
      );
      return [prototype, { ...model, fields, checks: isComplete ? model.checks : [] }] as const;
    }),
  );

/**
 * The failures of one field's value alone. A field with conditions, which depend on other fields,
 * is not checked.
 */
export function checkFieldValue(
  model: ClassModel,
  field: FieldModel,
  value: JsonValue,
  models: ClassModels,
): Failures {
  if (field.presence === 'conditional') return [];
  const bare = bareInstance({ ...model, fields: [field] }, { [field.name]: value }, models);
  return [
    ...fieldFailures(field, field.checkedConstraints, bare, ''),
    ...checksOf(Reflect.get(bare, field.name), '', byPrototype(models)),
  ];
}
