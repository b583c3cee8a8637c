// The bounds that `@Field` states. They become constraints like those of class-validator's decorators,
// so that the schema, contradictions and conditions treat both alike.
import type { Constraint } from './class-validator.ts';

/** JSON Schema's keywords, with their meaning there. */
export interface FieldBounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isString = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** The keywords count characters, not UTF-16 code units. */
const lengthOf = (text: string): number => [...text].length;

/** The constraints of one field. */
export const boundConstraints = (
  member: string,
  { minimum, maximum, minLength, maxLength, pattern, minItems, maxItems }: FieldBounds,
): readonly Constraint[] =>
  [
    bound('minimum', 'min', minimum, (value, least) => isNumber(value) && value >= least),
    bound('maximum', 'max', maximum, (value, most) => isNumber(value) && value <= most),
    bound(
      'minLength',
      'minLength',
      minLength,
      (value, least) => isString(value) && lengthOf(value) >= least,
    ),
    bound(
      'maxLength',
      'maxLength',
      maxLength,
      (value, most) => isString(value) && lengthOf(value) <= most,
    ),
    bound(
      'pattern',
      'matches',
      pattern,
      (value, source) => isString(value) && new RegExp(source, 'u').test(value),
    ),
    bound(
      'minItems',
      'arrayMinSize',
      minItems,
      (value, least) => isList(value) && value.length >= least,
    ),
    bound(
      'maxItems',
      'arrayMaxSize',
      maxItems,
      (value, most) => isList(value) && value.length <= most,
    ),
  ].flatMap((constraint) => (constraint === undefined ? [] : [{ member, ...constraint }]));

/** `name`: that of the check of class-validator with the same meaning. */
function bound<Limit>(
  keyword: keyof FieldBounds,
  name: string,
  limit: Limit | undefined,
  passes: (value: unknown, limit: Limit) => boolean,
): Omit<Constraint, 'member'> | undefined {
  if (limit === undefined) return undefined;
  const text = `${keyword}: ${JSON.stringify(limit)}`;
  return {
    decorator: `${fieldBound}${text} })`,
    role: 'check',
    origin: 'class-validator',
    name,
    parameters: name === 'matches' ? [limit, 'u'] : [limit],
    reach: 'value',
    groups: [],
    // The schema has the bound, but not if the field also has a condition.
    check: {
      wording: 'default',
      timing: () => 'sync',
      passes: (value) => passes(value, limit),
      message: () => `must keep ${text}`,
    },
  };
}

const fieldBound = '@Field({ ';

/** Whether it is a bound that `@Field` states: `@Field({ minimum: 1 })`. */
export const isFieldBound = ({ decorator }: Pick<Constraint, 'decorator'>): boolean =>
  decorator.startsWith(fieldBound);
