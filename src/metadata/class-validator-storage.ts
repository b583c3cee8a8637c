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
export function constraintsOf(Class: ArgumentClass): readonly Constraint[] {
  // No groups and no strictness, as validateSync(object) asks: everything that isn't tied to a group.
  const stored = getMetadataStorage().getTargetValidationMetadatas(Class, '', false, false);
  return stored.flatMap(constraintsIn);
}

/** The members that this very class decorated, in the order in which decorators ran, with repetitions. */
export function ownConstrainedMembers(
  Class: ArgumentClass,
  storage: Storage = getMetadataStorage(),
): readonly string[] {
  return ownStored(Class, storage).map(({ propertyName }) => propertyName);
}

function ownStored(Class: ArgumentClass, storage: Storage): readonly Stored[] {
  // The public method walks every class there is; asked once a field, registration would not be linear.
  const byClass: unknown = Reflect.get(storage, 'validationMetadatas');
  if (isStoredByClass(byClass)) return byClass.get(Class) ?? [];
  return storage
    .getTargetValidationMetadatas(Class, '', false, false)
    .filter(({ target }) => target === Class);
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
