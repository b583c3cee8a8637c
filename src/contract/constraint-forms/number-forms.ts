// What do class-validator's decorators on numbers and dates become?
import type { SchemaObject } from '../../json/json-schema.ts';
import type { Constraint } from '../../metadata/constraint.ts';
import type { ArgumentType } from '../argument-types/argument-type.ts';
import { always, numberAt, optionOf, type ConstraintForm, type ConstraintForms } from './constraint-form.ts';

const number: ArgumentType = { kind: 'number' };
const date: ArgumentType = { kind: 'date' };

const bound = (keyword: string): ConstraintForm => ({
  states: () => number,
  keywords: (constraint) => withNumber(keyword, numberAt(constraint, 0)),
});

const withNumber = (keyword: string, value: number | undefined): SchemaObject | undefined =>
  value === undefined ? undefined : { [keyword]: value };

const degrees = (limit: number): ConstraintForm => ({
  keywords: (_constraint, { kind }) =>
    kind === 'number' || kind === 'integer' ? { minimum: -limit, maximum: limit } : {},
  differs: always,
  remark: 'says nothing of the type: number or text',
});

const dateBound: ConstraintForm = { states: () => date };

export const numberForms: ConstraintForms = {
  isInt: { states: () => ({ kind: 'integer' }), keywords: () => ({}) },
  isNumber: {
    states: () => number,
    keywords: (constraint: Constraint) =>
      optionOf(constraint, 'maxDecimalPlaces') === undefined ? {} : undefined,
    remark: 'JSON has no NaN and no Infinity, whatever the options say; `maxDecimalPlaces` is checked only',
  },
  min: bound('minimum'),
  max: bound('maximum'),
  isPositive: { states: () => number, keywords: () => ({ exclusiveMinimum: 0 }) },
  isNegative: { states: () => number, keywords: () => ({ exclusiveMaximum: 0 }) },
  isDivisibleBy: {
    states: () => number,
    keywords(constraint) {
      const divisor = numberAt(constraint, 0);
      return divisor !== undefined && Number.isInteger(divisor) && divisor > 0
        ? { multipleOf: divisor }
        : undefined;
    },
    differs: always,
    remark: 'fractions that a float can only come near to are left to its own check',
  },
  isLatitude: degrees(90),
  isLongitude: degrees(180),
  isDate: {
    states: () => date,
    keywords: () => ({}),
    remark: 'the model sends text, the tool gets a Date; text that is no date is refused',
  },
  minDate: dateBound,
  maxDate: dateBound,
};
