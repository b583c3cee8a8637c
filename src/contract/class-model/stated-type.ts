// Of what type is a field? Put together from our decorators, class-validator's and class-transformer's @Type; what
// they leave open or contradict is complained of. The compiler's `design:type` only confirms.
import type { Constraint } from '../../metadata/constraint.ts';
import type { DeclaredField } from '../../metadata/declared-class.ts';
import { hasPart, type ArgumentType } from '../argument-types/argument-type.ts';
import type { Complain } from '../complaint-book.ts';
import { constraintForm } from '../constraint-forms/constraint-forms.ts';
import { contradictsEmitted } from '../argument-types/emitted-type.ts';
import { meetTypes } from '../argument-types/meet-types.ts';
import { classType, resolveType } from '../argument-types/resolve-type.ts';
import { typeWords } from '../argument-types/type-words.ts';
import { insteadOf, type Statement } from './contradicting-types.ts';

/** The field's type; undefined if it can't be told, and complained of. */
export function statedType(field: DeclaredField, complain: Complain): ArgumentType | undefined {
  const statements = statementsOf(field, complain);
  const type = meetAll(statements, complain);
  if (type === undefined || hasPart(type, ({ kind }) => kind === 'broken')) return undefined;
  if (hasPart(type, ({ kind }) => kind === 'open')) {
    complain(type.kind === 'open' ? 'has no type' : 'has no element type', writeInstead(type, field));
    return undefined;
  }
  if (contradictsEmitted(type, field.emitted)) {
    complain(
      `is declared as ${typeWords(type)}, but its TypeScript type is ${emittedName(field.emitted)}`,
      field.emitted === Array ? 'write @ArrayOf with the element type' : 'make the two agree',
    );
    return undefined;
  }
  return isNullable(field) && type.kind !== 'nullable' ? { kind: 'nullable', type } : type;
}

/** Our own words come first, and null stays where they allow it. */
function statementsOf(field: DeclaredField, complain: Complain): readonly Statement[] {
  const own = field.declarations.flatMap(({ decorator, fact }) =>
    fact.about === 'type'
      ? [{ decorator, type: resolveType(fact.type, complain), each: 'cannot' as const }]
      : [],
  );
  const constrained = field.constraints.flatMap(statementOf);
  return [...own, ...constrained, ...transformed(field, complain)];
}

function statementOf(constraint: Constraint): readonly Statement[] {
  const { name, reach, condition, role, decorator } = constraint;
  const saysType = role === 'check' && condition === undefined;
  const type = saysType ? constraintForm(name)?.states?.(constraint) : undefined;
  if (reach === 'value') return type === undefined ? [] : [{ decorator, type, each: 'can' }];
  const items: ArgumentType = type ?? { kind: 'open' };
  return [{ decorator: `${decorator} for each element`, type: { kind: 'array', items }, each: 'can' }];
}

/** class-transformer's @Type names the element where the field is a list. */
function transformed(field: DeclaredField, complain: Complain): readonly Statement[] {
  const { typeOf } = field.transformer;
  if (typeOf === undefined) return [];
  const type = classType(typeOf, complain);
  return [
    { decorator: '@Type', type: isList(field) ? { kind: 'array', items: type } : type, each: 'cannot' },
  ];
}

const isList = ({ constraints, declarations }: DeclaredField): boolean =>
  constraints.some(
    ({ name, reach }) => reach === 'items' || name === 'isArray' || name.startsWith('array'),
  ) || declarations.some(({ fact }) => fact.about === 'type' && fact.type.kind === 'array');

const isNullable = ({ declarations }: DeclaredField): boolean =>
  declarations.some(({ fact }) => fact.about === 'nullable');

function meetAll(statements: readonly Statement[], complain: Complain): ArgumentType | undefined {
  let met: Statement | undefined;
  for (const statement of statements) {
    const type = met === undefined ? statement.type : meetTypes(met.type, statement.type);
    if (met !== undefined && type === undefined) {
      complain(`is ${saidBy(met)}, and ${saidBy(statement)}`, insteadOf(met, statement));
      return undefined;
    }
    if (type === undefined) continue;
    const decisive = met !== undefined && typeWords(type) === typeWords(met.type) ? met : statement;
    met = { ...decisive, type };
  }
  return met?.type ?? { kind: 'open' };
}

const saidBy = ({ type, decorator }: Statement): string => `${typeWords(type)} by ${decorator}`;

function writeInstead(type: ArgumentType, { constraints, emitted }: DeclaredField): string {
  const isNested = constraints.some(({ role }) => role === 'nested');
  if (type.kind !== 'open')
    return isNested ? 'write @ArrayOf(() => Class)' : 'write @ArrayOf(String), or whatever it holds';
  if (isNested) return 'write @Nested(() => Class), or @ArrayOf(() => Class) for a list';
  switch (emitted) {
    case String:
      return 'write @IsString()';
    case Number:
      return 'write @IsInt() or @IsNumber()';
    case Boolean:
      return 'write @IsBoolean()';
    case Date:
      return 'write @IsDate()';
    case Array:
      return 'write @ArrayOf(String), or whatever it holds';
    default:
      return 'write @IsString(), @IsInt(), @IsNumber(), @IsBoolean(), @ArrayOf(...), @Nested(() => Class), or @Field({ type })';
  }
}

const emittedName = (emitted: unknown): string =>
  typeof emitted === 'function' ? emitted.name : String(emitted);
