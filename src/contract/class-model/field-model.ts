// What is known of one field? Its type, whether it must be sent, and which constraints go where.
import type { Condition, Constraint } from '../../metadata/constraint.ts';
import type { DeclaredField } from '../../metadata/declared-class.ts';
import type { ArgumentType } from '../argument-types/argument-type.ts';
import type { FieldModel } from './class-model.ts';
import type { Complain } from '../complaint-book.ts';
import { constraintForm } from '../constraint-forms/constraint-forms.ts';
import { complainOfContradictions } from './contradictions.ts';
import type { FieldFacts } from './field-facts.ts';
import { complainOfField } from './field-complaints.ts';
import { statedType } from './stated-type.ts';

/** The field; undefined if its type can't be told. Whatever is wrong with it is complained of. */
export function fieldModel(
  field: DeclaredField,
  facts: FieldFacts,
  complain: Complain,
): FieldModel | undefined {
  const type = statedType(field, complain);
  complainOfField(field, facts, type, complain);
  if (type === undefined) return undefined;
  const presence = presenceOf(field, facts);
  const checks = field.constraints.filter(({ role }) => role === 'check' || role === 'defined');
  // Where a condition may lift the constraints, the schema may not hold them.
  const unconditional = checks.filter(({ condition }) => condition === undefined);
  const said = unconditional.flatMap((constraint) => {
    const keywords = keywordsOf(constraint, type);
    return keywords === undefined ? [] : [{ constraint, keywords }];
  });
  // What a condition may lift leaves every value.
  if (presence !== 'conditional') complainOfContradictions(said, complain);
  const isSayable = (constraint: Constraint) =>
    presence !== 'conditional' && constraint.condition === undefined && isSaid(constraint, type);
  return {
    name: field.name,
    type,
    presence,
    facts,
    keyworded: checks.filter(isSayable),
    checked: checks.filter((constraint) => !isSayable(constraint) || needsOwnCheck(constraint)),
    conditions: field.constraints.flatMap(conditionsOf),
  };
}

function presenceOf({ constraints }: DeclaredField, facts: FieldFacts): FieldModel['presence'] {
  if (constraints.some(({ role }) => role === 'condition')) return 'conditional';
  const isOptional = facts.default !== undefined || constraints.some(({ role }) => role === 'optional');
  return isOptional ? 'optional' : 'required';
}

/** @IsOptional is a condition too: what is absent is not looked at. */
function conditionsOf({ role, condition }: Constraint): readonly Condition[] {
  if (role === 'optional') return [(_object, value) => value !== undefined];
  return role === 'condition' && condition !== undefined ? [condition] : [];
}

const isSaid = (constraint: Constraint, type: ArgumentType): boolean =>
  keywordsOf(constraint, type) !== undefined;

const keywordsOf = (constraint: Constraint, type: ArgumentType) =>
  constraintForm(constraint.name)?.keywords?.(constraint, reachedType(constraint, type));

const needsOwnCheck = (constraint: Constraint): boolean =>
  constraintForm(constraint.name)?.differs?.(constraint) === true;

/** What a constraint looks at: the value, or with `each` a list's element. */
function reachedType(constraint: Constraint, type: ArgumentType): ArgumentType {
  const bare = type.kind === 'nullable' ? type.type : type;
  return constraint.reach === 'items' && bare.kind === 'array' ? bare.items : bare;
}
