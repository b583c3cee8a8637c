// What do class-validator's decorators on lists and objects become?
import type { SchemaObject } from '../../json/json-schema.ts';
import type { Constraint } from '../../metadata/constraint.ts';
import type { EnumMember } from '../../metadata/declared-type.ts';
import { enumMembers } from '../../metadata/enum-members.ts';
import type { ArgumentType } from '../argument-types/argument-type.ts';
import { always, numberAt, optionOf, type ConstraintForm, type ConstraintForms } from './constraint-form.ts';

const list: ArgumentType = { kind: 'array', items: { kind: 'open' } };
const object: ArgumentType = { kind: 'object' };

const size = (keyword: string): ConstraintForm => ({
  states: () => list,
  keywords(constraint) {
    const length = numberAt(constraint, 0);
    return length === undefined || length < 0 || !Number.isInteger(length)
      ? undefined
      : { [keyword]: length };
  },
});

/** The values a decorator was given as a list, if JSON can hold each. */
function membersOf({ parameters: [values] }: Constraint): readonly EnumMember[] | undefined {
  if (!Array.isArray(values)) return undefined;
  const members = enumMembers(values);
  return members.length === new Set(values).size ? members : undefined;
}

export const listForms: ConstraintForms = {
  isArray: {
    states: () => list,
    keywords: () => ({}),
    remark: 'the element type needs a decorator of its own',
  },
  arrayMinSize: size('minItems'),
  arrayMaxSize: size('maxItems'),
  arrayNotEmpty: { states: () => list, keywords: () => ({ minItems: 1 }) },
  arrayContains: {
    states: () => list,
    keywords: (constraint) => containsEach(membersOf(constraint)),
  },
  arrayNotContains: {
    states: () => list,
    keywords(constraint) {
      const values = membersOf(constraint);
      if (values === undefined) return undefined;
      return values.length === 0 ? {} : { not: { contains: { enum: values } } };
    },
  },
  arrayUnique: {
    states: () => list,
    keywords: () => ({ uniqueItems: true }),
    differs: comparesByFunction,
    remark: 'elements are compared by value; with a function, its own check runs too',
  },
  isObject: {
    states: () => object,
    keywords: () => ({}),
    remark: 'a map of anything, unless a class is named',
  },
  isNotEmptyObject: {
    states: () => object,
    keywords: () => ({ minProperties: 1 }),
    differs: (constraint) => optionOf(constraint, 'nullable') === false,
    remark: 'with `{ nullable: false }` its own check runs too',
  },
  isInstance: { states: instanceType, differs: always, remark: 'the class becomes the type' },
};

function containsEach(values: readonly EnumMember[] | undefined): SchemaObject | undefined {
  if (values === undefined) return undefined;
  const [first, ...others] = values.map((value) => ({ contains: { const: value } }));
  if (first === undefined) return {};
  return others.length === 0 ? first : { allOf: [first, ...others] };
}

function instanceType({ parameters: [Class] }: Constraint): ArgumentType {
  return isClass(Class) ? { kind: 'class', Class } : { kind: 'open' };
}

const isClass = (value: unknown): value is new (...parameters: never[]) => object =>
  typeof value === 'function';

// @ArrayUnique keeps its function to itself. Two objects are unique unless a function makes them something else.
function comparesByFunction({ check }: Constraint): boolean {
  try {
    return check?.passes([{}, {}], {}) !== true;
  } catch {
    return true;
  }
}
