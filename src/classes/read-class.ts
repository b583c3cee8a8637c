import type { Complain, ComplaintBook } from '../errors/definition-error.ts';
import type { JsonValue } from '../json/value.ts';
import {
  type ArgumentType,
  classType,
  classesIn,
  contradictsEmitted,
  hasPart,
  meetTypes,
  resolveType,
  typeWords,
} from './argument-type.ts';
import {
  complainOfClass,
  complainOfContextField,
  complainOfContradictions,
  complainOfField,
  parameterCount,
} from './check-class.ts';
import {
  type ClassModel,
  type ClassModels,
  type ContextField,
  type FieldFacts,
  type FieldModel,
  jsonOf,
  readFieldFacts,
} from './class-model.ts';
import type { Condition, Constraint } from './class-validator.ts';
import { constraintForm } from './constraint-keywords.ts';
import {
  type ArgumentClass,
  type Declaration,
  type DeclaredClass,
  type DeclaredField,
  readDeclaredClass,
} from './declarations.ts';

// Mostly a list of the one, where one is a list.
/** What one decorator says of the type. */
export interface Statement {
  readonly decorator: string;
  readonly type: ArgumentType;
  /** Whether it can be written for the elements of a list, with `{ each: true }`. */
  readonly each: 'can' | 'cannot';
}

/** What to write in place of two statements that contradict each other. */
function insteadOf(one: Statement, other: Statement): string {
  const [list, element] = statesList(one) ? [one, other] : [other, one];
  const neither = 'leave one of them out';
  if (!statesList(list) || statesList(element)) return neither;
  const written = elementWords(element.type);
  if (element.each === 'cannot') {
    return written === undefined ? neither : `write @ArrayOf(${written}) in place of both`;
  }
  const each = `${element.decorator}({ each: true }) for the elements`;
  // Beside a list whose elements are known, only their constraint is out of place.
  if (!isOpenList(list) || written === undefined) return `write ${each}, or ${neither}`;
  return `write @ArrayOf(${written}) in place of both, or beside it ${each}`;
}

const statesList = ({ type: { kind } }: Statement): boolean => kind === 'array';

const isOpenList = ({ type }: Statement): boolean => type.kind === 'array' && type.items.kind === 'open';

/** How a type is written as an element; undefined where its being in a list is too unlikely. */
function elementWords(type: ArgumentType): string | undefined {
  switch (type.kind) {
    case 'class':
      return `() => ${type.Class.name}`;
    case 'enum':
      return 'enumOf(...)';
    case 'oneOf':
      return `oneOf('${type.discriminator}', () => [...])`;
    case 'object':
      return '() => Class';
    default:
      return scalarWords.get(type.kind);
  }
}

const scalarWords: ReadonlyMap<string, string> = new Map<ArgumentType['kind'], string>([
  ['string', 'String'],
  ['number', 'Number'],
  ['integer', 'integer'],
  ['boolean', 'Boolean'],
  ['date', 'Date'],
]);

// Put together from our decorators, class-validator's and class-transformer's @Type; what they leave open or
// contradict is complained of. The compiler's `design:type` only confirms.
/** The field's type; undefined if it can't be told, and complained of. */
function statedType(field: DeclaredField, complain: Complain): ArgumentType | undefined {
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

// Its type, whether it must be sent, and which constraints go where.
/** The field; undefined if its type can't be told. Whatever is wrong with it is complained of. */
function fieldModel(field: DeclaredField, facts: FieldFacts, complain: Complain): FieldModel | undefined {
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

/** The class's own model; what is wrong with it is written into the book. */
function readClassModel(Class: ArgumentClass, book: ComplaintBook): ClassModel {
  const declared = readDeclaredClass(Class);
  const name = Class.name === '' ? 'a class without a name' : Class.name;
  const fields: FieldModel[] = [];
  const contextFields: ContextField[] = [];
  for (const field of declared.fields) {
    const complain = book.at(name, field.name);
    const facts = readFieldFacts(field.declarations, complain);
    if (facts.contextKey !== undefined) {
      complainOfContextField(field, facts, complain);
      contextFields.push({ name: field.name, key: facts.contextKey });
      continue;
    }
    const model = fieldModel(field, facts, complain);
    if (model !== undefined) fields.push(model);
  }
  tellMisplaced(declared, name, book);
  const members = new Set(declared.fields.map((field) => field.name));
  return { Class, name, members, fields, contextFields, ...classFacts(declared, name, book) };
}

function classFacts(declared: DeclaredClass, name: string, book: ComplaintBook) {
  const checks = declared.methods.flatMap(({ fact, member }) =>
    fact.about === 'check' && member !== undefined ? [member] : [],
  );
  return { checks, examples: examplesOf(declared.own, name, book), hints: hintsOf(declared.all) };
}

const hintsOf = (declarations: readonly Declaration[]): readonly string[] =>
  declarations.flatMap(({ fact }) => (fact.about === 'hint' ? [fact.text] : []));

const examplesOf = (own: readonly Declaration[], name: string, book: ComplaintBook): readonly JsonValue[] =>
  own.flatMap(({ fact }) => (fact.about === 'example' ? jsonOf('@Example', fact.value, book.at(name)) : []));

function tellMisplaced({ misplaced }: DeclaredClass, name: string, book: ComplaintBook): void {
  for (const { fact, member } of misplaced) {
    if (fact.about === 'complaint') book.at(name, member)(fact.what, fact.instead);
  }
}

// Read anew for each tool: nothing is kept.
/**
 * The models of the class and of all classes its fields name, in the order in which they are met. A tool may be made
 * with parameters and have no arguments; a class that is nothing but arguments may not. Results are made by the tool itself.
 */
export function readClassModels(
  Root: ArgumentClass,
  rootIs: 'tool' | 'arguments' | 'result',
  book: ComplaintBook,
): ClassModels {
  const models = new Map<ArgumentClass, ClassModel>();
  const waiting = [Root];
  for (let Class = waiting.shift(); Class !== undefined; Class = waiting.shift()) {
    if (models.has(Class)) continue;
    const model = readClassModel(Class, book);
    models.set(Class, model);
    if (Class !== Root || rootIs !== 'tool') complainOfFields(model, book);
    if (Class !== Root ? rootIs !== 'result' : rootIs === 'arguments') complainOfParameters(model, book);
    waiting.push(...model.fields.flatMap(({ type }) => classesIn(type)));
  }
  for (const model of models.values()) complainOfClass(model, models, book);
  return models;
}

function complainOfParameters({ Class, name }: ClassModel, book: ComplaintBook): void {
  const parameters = parameterCount(Class);
  if (parameters > 0) {
    book.at(name)(
      `has a constructor with ${parameters} ${parameters === 1 ? 'parameter' : 'parameters'}, and arguments are made without any`,
      'give it a constructor without parameters',
    );
  }
}

function complainOfFields({ name, members }: ClassModel, book: ComplaintBook): void {
  if (members.size === 0) {
    book.at(name)('declares no field that can be read', 'decorate its fields, as with @IsString()');
  }
}
