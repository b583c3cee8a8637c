import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import {
  type ValidationArguments,
  ValidationTypes,
  type ValidatorConstraintInterface,
  getMetadataStorage,
} from 'class-validator';
import type { ArgumentClass } from './declarations.ts';

// Only @Type counts; what would change a value on its way is named, so that it can be refused instead of being left
// out in silence.
export interface TransformerFacts {
  /** What @Type returns, unread: a class may not exist yet. */
  readonly typeOf?: () => unknown;
  /** Decorators that tool arguments don't go through. */
  readonly ignored: readonly string[];
}

const fromPlain = 0;

export function transformerFactsOf(Class: ArgumentClass, member: string): TransformerFacts {
  const storage = defaultMetadataStorage;
  const type = storage.findTypeMetadata(Class, member);
  const ignored = [
    ...(storage.findTransformMetadatas(Class, member, fromPlain).length > 0 ? ['@Transform'] : []),
    ...(storage.findExposeMetadata(Class, member)?.options?.name === undefined ? [] : ['@Expose({ name })']),
    ...(storage.findExcludeMetadata(Class, member) === undefined ? [] : ['@Exclude']),
    ...(type?.options?.discriminator === undefined ? [] : ['@Type({ discriminator })']),
  ];
  return type?.typeFunction === undefined ? { ignored } : { ignored, typeOf: type.typeFunction };
}

/** One constraint on one field. */
export interface Constraint {
  readonly member: string;
  /** For people: `@IsInt`. */
  readonly decorator: string;
  readonly role: ConstraintRole;
  /** class-validator's name of the check, `isInt`; a custom check's own. */
  readonly name: string;
  /** What the decorator was given, without its options. */
  readonly parameters: readonly unknown[];
  /** `items`: each element of a list. */
  readonly reach: 'value' | 'items';
  /** Validation groups it is limited to; empty: none. */
  readonly groups: readonly string[];
  /** Absent: it always applies. */
  readonly condition?: Condition;
  /** Absent for roles that check nothing themselves. */
  readonly check?: ConstraintCheck;
}

/** `check`: validates the value. `defined`, `optional`, `condition`: when others apply. The rest only marks. */
export type ConstraintRole = 'check' | 'defined' | 'optional' | 'condition' | 'nested' | 'promise' | 'allow';

export type Condition = (object: object, value: unknown) => boolean;

export interface ConstraintCheck {
  /** Whose sentence it is. */
  readonly wording: 'author' | 'default';
  /** Whether it says that it must be waited for. */
  timing(): 'sync' | 'async';
  /** Anything but true is a failure; a promise can't be waited for. */
  passes(value: unknown, object: object): unknown;
  /** The sentence for whoever sent the value. */
  message(value: unknown, object: object): string;
}

// Its `validateSync` runs all checks of a class, takes a promise for a pass, and fails on fields named like Object's
// own; so each is run alone.
/** What one decorator stored: where it stands, what it was given. */
interface StoredConstraint {
  readonly propertyName: string;
  readonly constraints?: readonly unknown[];
  readonly message?: string | ((context: ValidationArguments) => string);
}

/** What a validator registered about itself; `instance` comes from class-validator's container. */
interface StoredValidator {
  readonly async: boolean;
  readonly instance: ValidatorConstraintInterface;
}

function constraintCheck(stored: StoredConstraint, validator: StoredValidator): ConstraintCheck {
  // Its container looks through all instances there are, so each is asked for once, and only if it is needed.
  let known: ValidatorConstraintInterface | undefined;
  const instance = (): ValidatorConstraintInterface => (known ??= validator.instance);
  return {
    wording: stored.message === undefined || stored.message === '' ? 'default' : 'author',
    timing: () => (validator.async || isAsyncMethod(instance(), 'validate') ? 'async' : 'sync'),
    passes: (value, object) => instance().validate(value, argumentsOf(stored, value, object)),
    message(value, object) {
      const context = argumentsOf(stored, value, object);
      const own = stored.message ?? '';
      if (own === '') return fillIn(instance().defaultMessage?.(context) ?? '', context);
      return fillIn(typeof own === 'function' ? own(context) : own, context);
    },
  };
}

const isAsyncMethod = (object: object, name: string): boolean =>
  Object.prototype.toString.call(Reflect.get(object, name)) === '[object AsyncFunction]';

const argumentsOf = (stored: StoredConstraint, value: unknown, object: object): ValidationArguments => ({
  value,
  object,
  property: stored.propertyName,
  constraints: [...(stored.constraints ?? [])],
  targetName: object.constructor.name,
});

/** class-validator's placeholders: `$property`, `$value`, `$target`, `$constraint1`, … */
const fillIn = (message: string, { property, value, targetName, constraints }: ValidationArguments): string =>
  message.replace(/\$(?:constraint(\d+)|value|property|target)/g, (placeholder, index) => {
    if (index !== undefined) return wordsOf(constraints[Number(index) - 1]);
    if (placeholder === '$value') return isPrimitive(value) ? String(value) : placeholder;
    return placeholder === '$property' ? property : targetName;
  });

/** @MinDate and @MaxDate also take what makes the date. */
function wordsOf(parameter: unknown): string {
  if (Array.isArray(parameter)) return parameter.map(String).join(', ');
  const said = isMaker(parameter) ? parameter() : parameter;
  return said instanceof Date ? said.toISOString() : String(parameter);
}

const isMaker = (parameter: unknown): parameter is () => unknown =>
  typeof parameter === 'function' && parameter.length === 0;

const isPrimitive = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

// The only reader of its storage, which is keyed by the class itself: two classes of one name never mix.
type Storage = ReturnType<typeof getMetadataStorage>;
type Stored = ReturnType<Storage['getTargetValidationMetadatas']>[number];

/**
 * All constraints of a class, inherited ones included, by class-validator's own rule: a member that the class
 * decorates again loses its parents' checks of that kind.
 */
export const constraintsOf = (
  Class: ArgumentClass,
  storage: Storage = getMetadataStorage(),
): readonly Constraint[] => allStored(Class, storage).flatMap(constraintsIn);

/** The members that this very class decorated, in the order in which decorators ran, with repetitions. */
export function ownConstrainedMembers(
  Class: ArgumentClass,
  storage: Storage = getMetadataStorage(),
): readonly string[] {
  const byClass = storedByClass(storage);
  const own = byClass?.get(Class) ?? (byClass === undefined ? askedInTheOpen(Class, storage) : []);
  return own.filter(({ target }) => target === Class).map(({ propertyName }) => propertyName);
}

/** What the storage answers for `validateSync(object)`: no groups and no strictness. */
const askedInTheOpen = (Class: ArgumentClass, storage: Storage): readonly Stored[] =>
  storage.getTargetValidationMetadatas(Class, '', false, false);

/**
 * The same answer without the storage's walk over every class there is, which would make the time to register classes
 * grow with their square.
 */
function allStored(Class: ArgumentClass, storage: Storage): readonly Stored[] {
  const byClass = storedByClass(storage);
  if (byClass === undefined) return askedInTheOpen(Class, storage);
  const own = byClass.get(Class) ?? [];
  const inherited = parentsOf(Class)
    .flatMap((parent) => byClass.get(parent) ?? [])
    .filter(
      ({ propertyName, type }) => !own.some((at) => at.propertyName === propertyName && at.type === type),
    );
  return [...own, ...inherited];
}

/** The parents of a class, the farthest first, as their decorators ran. */
function parentsOf(Class: object): readonly unknown[] {
  const parent: unknown = Object.getPrototypeOf(Class);
  return typeof parent === 'function' ? [...parentsOf(parent), parent] : [];
}

/** The storage's inner map; undefined where a release of class-validator keeps none. */
function storedByClass(storage: Storage): ReadonlyMap<unknown, readonly Stored[]> | undefined {
  const byClass: unknown = Reflect.get(storage, 'validationMetadatas');
  return isStoredByClass(byClass) ? byClass : undefined;
}

const isStoredByClass = (value: unknown): value is ReadonlyMap<unknown, readonly Stored[]> =>
  value instanceof Map;

function constraintsIn(stored: Stored): readonly Constraint[] {
  const role = roleOf(stored);
  const base = {
    member: stored.propertyName,
    role,
    parameters: stored.constraints ?? [],
    reach: stored.each ? 'items' : 'value',
    groups: stored.always === true ? [] : (stored.groups ?? []),
    ...conditionOf(stored, role),
  } as const;
  if (role !== 'check' && role !== 'defined') {
    return [{ ...base, name: stored.name ?? role, decorator: decoratorOf(stored.name ?? stored.type) }];
  }
  const { constraintCls, name } = stored;
  const checks = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  const decorator = name === undefined ? `@Validate(${constraintCls.name})` : decoratorOf(name);
  // Without @ValidatorConstraint there is nothing to run; the bare entry lets registration say so.
  if (checks.length === 0) return [{ ...base, name: name ?? constraintCls.name, decorator }];
  return checks.map((check) => ({
    ...base,
    name: check.name ?? name ?? constraintCls.name,
    decorator,
    check: constraintCheck(stored, check),
  }));
}

function roleOf({ type, name }: Stored): ConstraintRole {
  switch (type) {
    case ValidationTypes.CONDITIONAL_VALIDATION:
      return name === 'isOptional' ? 'optional' : 'condition';
    case ValidationTypes.IS_DEFINED:
      return 'defined';
    case ValidationTypes.NESTED_VALIDATION:
      return 'nested';
    case ValidationTypes.PROMISE_VALIDATION:
      return 'promise';
    case ValidationTypes.WHITELIST:
      return 'allow';
    default:
      return 'check';
  }
}

function conditionOf(stored: Stored, role: ConstraintRole): { readonly condition?: Condition } {
  const given: unknown = role === 'condition' ? stored.constraints[0] : stored.validateIf;
  return isCondition(given) ? { condition: given } : {};
}

const isCondition = (value: unknown): value is Condition => typeof value === 'function';

/** `isInt` is written @IsInt, `min` is written @Min. */
const decoratorOf = (name: string): string =>
  `@${oddNames.get(name) ?? name.charAt(0).toUpperCase() + name.slice(1)}`;

const oddNames: ReadonlyMap<string, string> = new Map([
  ['conditionalValidation', 'ValidateIf'],
  ['nestedValidation', 'ValidateNested'],
  ['promiseValidation', 'ValidatePromise'],
  ['whitelistValidation', 'Allow'],
  ['isLength', 'Length'],
  ['isFqdn', 'IsFQDN'],
  ['isIp', 'IsIP'],
  ['isIsbn', 'IsISBN'],
  ['isIsin', 'IsISIN'],
  ['isIso8601', 'IsISO8601'],
  ['isJson', 'IsJSON'],
  ['isJwt', 'IsJWT'],
  ['isMacAddress', 'IsMACAddress'],
  ['isUuid', 'IsUUID'],
]);
