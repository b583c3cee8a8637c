import {
  type Complain,
  type Complaint,
  type ComplaintBook,
  DefinitionError,
} from '../errors/definition-error.ts';
import { foldKey, isJsonObject } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import type { Constructor } from '../tool/tool-contract.ts';
import { type ArgumentType, hasPart } from './argument-type.ts';
import {
  type ClassModel,
  type ClassModels,
  type FieldFacts,
  type FieldModel,
  discriminatorValues,
} from './class-model.ts';
import type { Constraint } from './class-validator.ts';
import { constraintForm } from './constraint-keywords.ts';
import type { ArgumentClass, DeclaredField } from './declarations.ts';

export function complainOfClass(model: ClassModel, models: ClassModels, book: ComplaintBook): void {
  for (const field of model.fields) {
    complainOfAliases(model, field, book);
    complainOfPairs(model, field, book);
    hasPart(field.type, (part) => complainOfOneOf(part, models, book.at(model.name, field.name)));
  }
  complainOfChecks(model, book);
  complainOfNames(model, book);
  complainOfExamples(model, book);
}

/** Whoever misspells one of them could mean the other. */
function complainOfNames({ name, members }: ClassModel, book: ComplaintBook): void {
  const first = new Map<string, string>();
  for (const member of members) {
    const other = first.get(spellingOf(member));
    first.set(spellingOf(member), other ?? member);
    if (other !== undefined)
      book.at(name, member)(`is spelled like the field ${other}`, 'call one of them something else');
  }
}

function complainOfExamples({ name, fields, examples }: ClassModel, book: ComplaintBook): void {
  for (const field of fields.filter(({ facts }) => facts.marks.has('secret'))) {
    if (examples.some((example) => isJsonObject(example) && Object.hasOwn(example, field.name)))
      book.at(name, field.name)(
        'is a @Secret that the class’s @Example shows to models',
        'leave it out of the example, or the example out of the class',
      );
  }
}

const spellingOf = (name: string): string => foldKey(name) ?? name;

function complainOfAliases(model: ClassModel, field: FieldModel, book: ComplaintBook): void {
  const complain = book.at(model.name, field.name);
  const others = model.fields.filter((other) => other !== field).flatMap(({ facts }) => facts.aliases);
  const names = [...model.members].filter((name) => name !== field.name);
  for (const alias of field.facts.aliases) {
    const spelling = spellingOf(alias);
    const spelled = names.find((name) => spellingOf(name) === spelling);
    if (model.members.has(alias))
      complain(`has the alias ${alias}, which is a field`, 'leave that alias out');
    else if (spelled !== undefined)
      complain(`has the alias ${alias}, which is spelled like the field ${spelled}`, 'leave that alias out');
    const shared = others.find((other) => spellingOf(other) === spelling);
    if (shared === alias) complain(`shares the alias ${alias} with another field`, 'keep it at one of them');
    else if (shared !== undefined)
      complain(
        `has the alias ${alias}, which is spelled like the alias ${shared} of another field`,
        'keep it at one of them',
      );
  }
}

function complainOfPairs(model: ClassModel, field: FieldModel, book: ComplaintBook): void {
  const complain = book.at(model.name, field.name);
  for (const { partner } of field.facts.pairs) {
    const other = model.fields.find(({ name }) => name === partner);
    if (other === field) complain('is paired with itself', 'name the field that goes with it');
    else if (other === undefined)
      complain(`is paired with ${partner}, which is no field`, 'name a field of the class');
    else if (other.facts.marks.has('secret'))
      complain(
        `gives a value for ${partner}, which is a @Secret that the note would show`,
        'set it in execute()',
      );
    else if (other.presence === 'required') {
      complain(`is paired with ${partner}, which is never absent`, `put @IsOptional() on ${partner}`);
    }
  }
}

/** Members of a union by discriminator need a constant each, and no two the same. */
function complainOfOneOf(type: ArgumentType, models: ClassModels, complain: Complain): false {
  if (type.kind !== 'oneOf') return false;
  const taken = new Map<unknown, string>();
  for (const Class of type.Classes) {
    const values = discriminatorValues(models.get(Class), type.discriminator);
    if (values.length === 0) {
      complain(
        `tells ${Class.name} apart by ${type.discriminator}, which is no required constant there`,
        `write @Equals('…') ${type.discriminator} in ${Class.name}`,
      );
    }
    for (const value of values) {
      const other = taken.get(value);
      if (other !== undefined) {
        complain(
          `can't tell ${other} and ${Class.name} apart: ${type.discriminator} is ${JSON.stringify(value)} in both`,
          'give each class a constant of its own',
        );
      }
      taken.set(value, Class.name);
    }
  }
  return false;
}

function complainOfChecks(model: ClassModel, book: ComplaintBook): void {
  for (const name of model.checks) {
    const method: unknown = Reflect.get(model.Class.prototype, name);
    if (typeof method === 'function' && method.length > 0) {
      book.at(model.name, name)(
        'is a @Check that takes a parameter, and is given none',
        'read the fields from this',
      );
    }
    if (Object.prototype.toString.call(method) !== '[object AsyncFunction]') continue;
    book.at(model.name, name)(
      'is a @Check that must be waited for, and arguments are validated at once',
      'return true or the sentence itself; what must be waited for belongs into execute() with a ToolRetry',
    );
  }
}

// Then no call could ever be right, and every message would be wrong.
/** A constraint with the keywords that say the same. */
export interface KeywordedConstraint {
  readonly constraint: Constraint;
  readonly keywords: SchemaObject;
}

/** Looks at bounds and lists of values; what patterns or checks of their own leave is not looked for. */
export function complainOfContradictions(said: readonly KeywordedConstraint[], complain: Complain): void {
  for (const reach of ['value', 'items'] as const) {
    const ofReach = said.filter(({ constraint }) => constraint.reach === reach);
    for (const { keywords, constraint } of ofReach) {
      if (keywords.enum?.length === 0)
        complain(`has ${written(constraint)}, which no value meets`, 'name the values');
    }
    for (const [low, high] of bounds) complainOfBounds(ofReach, low, high, complain);
  }
}

const bounds: readonly (readonly [low: readonly string[], high: readonly string[]])[] = [
  [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ],
  [['minLength'], ['maxLength']],
  [['minItems'], ['maxItems']],
];

function complainOfBounds(
  said: readonly KeywordedConstraint[],
  low: readonly string[],
  high: readonly string[],
  complain: Complain,
): void {
  for (const least of said.flatMap((one) => boundsOf(one, low))) {
    for (const most of said.flatMap((one) => boundsOf(one, high))) {
      const isOpen =
        least.value < most.value || (least.value === most.value && !least.excludes && !most.excludes);
      if (isOpen) continue;
      const names = [...new Set([written(least.constraint), written(most.constraint)])].join(' and ');
      complain(`has ${names}, which no value meets`, 'write a lower bound that is not above the upper one');
    }
  }
}

interface Bound {
  readonly constraint: Constraint;
  readonly value: number;
  readonly excludes: boolean;
}

const boundsOf = (
  { constraint, keywords }: KeywordedConstraint,
  names: readonly string[],
): readonly Bound[] =>
  names.flatMap((name) => {
    const value = keywords[name];
    return typeof value === 'number' ? [{ constraint, value, excludes: name.startsWith('exclusive') }] : [];
  });

/** `@Min(5)`, as in the source. */
const written = ({ decorator, parameters }: Constraint): string =>
  `${decorator}(${parameters.flatMap((parameter) => JSON.stringify(parameter) ?? []).join(', ')})`;

// Everything that would be left out, ignored or contradicted.
export function complainOfField(
  field: DeclaredField,
  facts: FieldFacts,
  type: ArgumentType | undefined,
  complain: Complain,
): void {
  if (field.name === '__proto__')
    complain('is a name that validators leave out', 'call the field something else');
  for (const constraint of field.constraints) complainOfConstraint(constraint, complain);
  complainOfPresence(field, facts, complain);
  complainOfSecret(facts, complain);
  for (const decorator of field.transformer.ignored) {
    complain(
      `has ${decorator}, which isn't run on arguments`,
      'leave it out, or give the tool a class of its own',
    );
  }
  for (const mark of ['path', 'verbatim'] as const) {
    if (type !== undefined && facts.marks.has(mark) && !hasPart(type, ({ kind }) => kind === 'string')) {
      complain(`is marked as ${mark} but holds no text`, `put @${markNames[mark]}() on a field of text`);
    }
  }
}

/** The schema shows defaults and examples to the model. */
function complainOfSecret({ marks, default: defaultValue, examples }: FieldFacts, complain: Complain): void {
  if (!marks.has('secret')) return;
  if (defaultValue !== undefined)
    complain('has both @Secret and @Default, which models are shown', 'set the value in execute()');
  if (examples.length > 0)
    complain('has both @Secret and @Example, which models are shown', 'leave the example out');
}

const markNames = { path: 'PathField', verbatim: 'Verbatim' } as const;

function complainOfConstraint(constraint: Constraint, complain: Complain): void {
  const { decorator, name, role, check, groups } = constraint;
  if (groups.length > 0) {
    complain(
      `has ${decorator} for the validation groups ${groups.join(', ')}, and a tool call has no groups`,
      'leave the groups out, or give the tool a class of its own',
    );
  }
  // All of class-validator's own validate at once.
  const isOwn = role === 'check' && constraintForm(name) === undefined;
  if (role === 'promise' || (isOwn && check?.timing() === 'async')) {
    complain(
      `has ${decorator}, which must be waited for, and arguments are validated at once`,
      'check it in execute() and throw a ToolRetry',
    );
  }
  if ((role === 'check' || role === 'defined') && check === undefined) {
    complain(`has ${decorator} without anything to run`, 'put @ValidatorConstraint() on the validator class');
  }
}

function complainOfPresence({ constraints }: DeclaredField, facts: FieldFacts, complain: Complain): void {
  const optional = constraints.find(({ role }) => role === 'optional');
  const isDefined = constraints.some(({ role }) => role === 'defined');
  if (optional !== undefined && isDefined)
    complain('has both @IsOptional and @IsDefined', 'leave one of them out');
  if (isDefined && facts.marks.has('nullable'))
    complain('has both @Nullable and @IsDefined', 'leave one of them out');
  if (isDefined && facts.default !== undefined)
    complain('has both @Default and @IsDefined', 'leave one of them out');
  const isConditional = constraints.some(({ role }) => role === 'condition');
  if (isConditional && facts.default !== undefined) {
    complain('has both @Default and @ValidateIf', 'leave one of them out');
  }
}

/** A field that the application fills: nothing is asked of a model, so nothing may be said of what it sends. */
export function complainOfContextField(field: DeclaredField, facts: FieldFacts, complain: Complain): void {
  const said = [
    ...(facts.default === undefined ? [] : ['@Default']),
    ...(facts.aliases.length === 0 ? [] : ['@Alias']),
    ...(facts.examples.length === 0 ? [] : ['@Example']),
    ...(facts.pairs.length === 0 ? [] : ['@PairedDefault']),
    ...field.constraints.filter(({ role }) => role !== 'allow').map(({ decorator }) => decorator),
  ];
  if (said.length === 0) return;
  complain(
    `is set by the application (@FromContext), so ${said.join(', ')} would do nothing`,
    'leave out all but @FromContext',
  );
}

// A constructor that takes parameters would get undefined for each.
/** What `new Class()` with nothing can't do; nothing to complain of where the application makes instances itself. */
export function constructionComplaints(
  Class: Constructor,
  madeBy: 'application' | 'default',
): readonly Complaint[] {
  const parameters = parameterCount(Class);
  if (madeBy === 'application' || parameters === 0) return [];
  const count = parameters === 1 ? '1 parameter' : `${parameters} parameters`;
  return [
    {
      where: Class.name,
      what: `has a constructor with ${count}, which would be undefined`,
      instead: 'give the registry create: (Class, call) => ..., as with a container',
    },
  ];
}

/** Parameters of the constructor that runs: a class without one of its own has its parent's. */
export function parameterCount(Class: ArgumentClass): number {
  if (Class.length > 0 || !passesOn(Class)) return Class.length;
  const Parent: unknown = Object.getPrototypeOf(Class);
  return isClass(Parent) ? parameterCount(Parent) : 0;
}

/** Only the source tells whether a constructor is there; compilers write one where there are initialisers. */
function passesOn(Class: ArgumentClass): boolean {
  const source = Function.prototype.toString.call(Class);
  return !anyConstructor.test(source) || emittedConstructor.test(source);
}

const anyConstructor = /\bconstructor\s*\(/;
// TypeScript writes super(...arguments), swc and esbuild a rest parameter.
const emittedConstructor = /\bconstructor\s*\((?:\.\.\.(\w+))?\)\s*\{\s*super\(\.\.\.(?:arguments|\1)\)/;

const isClass = (value: unknown): value is ArgumentClass => typeof value === 'function';

// A model can't see an initialiser, so an absent argument would get a value that nobody declared. Only an instance
// shows it: compilers keep no trace that could be read.
/** Arguments that a fresh instance already has. On a required one it does nothing, and looks as if it did. */
function initialiserComplaints(instance: object, { fields, name: where }: ClassModel): readonly Complaint[] {
  return fields.flatMap(({ name, presence, facts }) => {
    const isSet = Object.hasOwn(instance, name) && Reflect.get(instance, name) !== undefined;
    if (!isSet) return [];
    const isDouble = facts.default !== undefined;
    return [
      {
        where: `${where}.${name}`,
        what: isDouble
          ? 'has both @Default and an initialiser'
          : 'has an initialiser, which no model can see',
        instead: insteadOf(isDouble, presence),
      },
    ];
  });
}

function insteadOf(isDouble: boolean, presence: FieldModel['presence']): string {
  if (isDouble) return 'leave the initialiser out';
  return presence === 'required'
    ? 'write `!` and no value, or @Default(value) if it may be left out'
    : 'write @Default(value) instead';
}

/**
 * Looks at one instance, made here, where the class can be made without parameters; a constructor that throws is left
 * to the first call, as are classes with parameters.
 */
export function findInitialisers(model: ClassModel): readonly Complaint[] {
  const isAsked = parameterCount(model.Class) === 0 && model.fields.length > 0;
  const instance = isAsked ? tryToMake(model) : undefined;
  return instance === undefined ? [] : initialiserComplaints(instance, model);
}

function tryToMake({ Class }: ClassModel): object | undefined {
  try {
    return new Class();
  } catch {
    return undefined;
  }
}

/** Throws if a fresh instance has values where only `@Default` may give one. */
export function refuseInitialisers(instance: object, model: ClassModel): void {
  const complaints = initialiserComplaints(instance, model);
  if (complaints.length > 0) throw new DefinitionError(complaints);
}
