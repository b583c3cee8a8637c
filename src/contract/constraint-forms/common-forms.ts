// What do class-validator's decorators for any type become?
import type { JsonValue } from '../../json/json-value.ts';
import type { Constraint } from '../../metadata/constraint.ts';
import type { EnumMember } from '../../metadata/declared-type.ts';
import { enumMembers } from '../../metadata/enum-members.ts';
import { withoutNull, type ArgumentType } from '../argument-types/argument-type.ts';
import type { ConstraintForms } from './constraint-form.ts';

const open: ArgumentType = { kind: 'open' };

export const commonForms: ConstraintForms = {
  isString: { states: () => ({ kind: 'string' }), keywords: () => ({}) },
  isBoolean: { states: () => ({ kind: 'boolean' }), keywords: () => ({}) },
  isDefined: { keywords: () => ({}), remark: 'the field is required, and null is refused' },
  isEnum: {
    states: ({ parameters: [entity] }) =>
      isObject(entity) ? { kind: 'enum', values: enumMembers(entity) } : open,
    keywords: () => ({}),
    remark: 'names of a numeric enum, which class-validator lets pass, are refused',
  },
  isIn: {
    states: ({ parameters: [values] }) => (isList(values) && isSayable(values) ? oneOfValues(values) : open),
    keywords: ({ parameters: [values] }) => (isList(values) && isSayable(values) ? {} : undefined),
  },
  isNotIn: {
    keywords({ parameters: [values] }) {
      const refused = isList(values) ? values.filter(isPrimitive) : [];
      return refused.length === 0 ? {} : { not: { enum: refused } };
    },
  },
  equals: {
    states: ({ parameters: [value] }) => (isMember(value) ? { kind: 'const', value } : open),
    keywords: ({ parameters: [value] }) => (isMember(value) ? {} : undefined),
  },
  notEquals: {
    keywords: ({ parameters: [value] }) => (isPrimitive(value) ? { not: { const: value } } : {}),
  },
  isEmpty: {
    keywords: (_constraint, type) => (withoutNull(type).kind === 'string' ? { maxLength: 0 } : undefined),
    remark: 'text: the empty text; of any other type nothing is empty but null',
  },
  isNotEmpty: {
    keywords: notEmpty,
    remark:
      'text: at least one character; a list: at least one element, which class-validator does not ask for',
  },
};

function notEmpty(_constraint: Constraint, type: ArgumentType): { readonly [keyword: string]: number } {
  const { kind } = withoutNull(type);
  if (kind === 'string') return { minLength: 1 };
  return kind === 'array' ? { minItems: 1 } : {};
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const isMember = (value: unknown): value is EnumMember =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

const isPrimitive = (value: unknown): value is JsonValue => value === null || isMember(value);

/** A value JSON can't hold never equals one that a model sent; but a list of nothing else can't be said. */
const isSayable = (values: readonly unknown[]): boolean => values.some(isMember);

const oneOfValues = (values: readonly unknown[]): ArgumentType => {
  const type: ArgumentType = { kind: 'enum', values: enumMembers(values) };
  return values.includes(null) ? { kind: 'nullable', type } : type;
};
