// How is one of class-validator's checks run by itself, and what does it say? Its `validateSync` runs all checks
// of a class, takes a promise for a pass, and fails on fields named like Object's own; so each is run alone.
import type { ValidationArguments, ValidatorConstraintInterface } from 'class-validator';
import type { ConstraintCheck } from './constraint.ts';

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

export function constraintCheck(stored: StoredConstraint, validator: StoredValidator): ConstraintCheck {
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
