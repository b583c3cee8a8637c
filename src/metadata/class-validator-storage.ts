// Which constraints do class-validator's decorators put on a class? The only reader of its storage, which is
// keyed by the class itself: two classes of one name never mix.
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { constraintCheck } from './constraint-check.ts';
import type { Condition, Constraint, ConstraintRole } from './constraint.ts';
import type { ArgumentClass } from './declared-type.ts';

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
