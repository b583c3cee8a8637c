import {
  type ReportProblem,
  type DefinitionProblem,
  type DefinitionProblems,
  DefinitionError,
} from '../errors/definition-error.ts';
import { attempt } from '../collections/attempt.ts';
import { spellingOf } from '../json/key-spelling.ts';
import { type JsonValue, isJsonObject, sameValue } from '../json/value.ts';
import { isAsyncFunction } from '../platform/object-kinds.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import type { Constructor } from '../tool/tool-contract.ts';
import { type ArgumentType, type OneOfType, hasKind, partsOf } from './argument-type.ts';
import {
  type ClassModel,
  type ClassModels,
  type FieldMetadata,
  type FieldModel,
  discriminatorValues,
  plainJson,
} from './class-model.ts';
import type { Constraint, DocumentedBy } from './class-validator.ts';
import { constraintMapping } from './constraint-keywords.ts';
import { type DeclaredField, isClass, isOfContainer } from './declarations.ts';
import { isFieldBound } from './field-bounds.ts';

/** Reports decorators on one field that contradict each other or have no effect. */
export function checkField(
  field: DeclaredField,
  metadata: FieldMetadata,
  { type, isTransformed }: { readonly type: ArgumentType; readonly isTransformed: boolean },
  report: ReportProblem,
): void {
  const { marks, examples, default: defaultValue, isInitialized } = metadata;
  const hasDefault = defaultValue !== undefined;
  if (field.name === '__proto__') report('has a name that validators ignore', 'rename the field');
  for (const constraint of field.constraints) checkConstraint(constraint, report);
  checkPresence(field, hasDefault, report);
  if (marks.has('secret') && hasDefault) {
    const initialValue = isInitialized ? 'an initializer' : '@Default';
    report(
      `has both @Secret and ${initialValue}, and models see defaults`,
      'set the value in execute()',
    );
  }
  if (marks.has('secret') && examples.length > 0)
    report('has both @Secret and @Example, and models see examples', 'remove the example');
  for (const decorator of field.transformer.unsupportedDecorators)
    report(`has ${decorator}, which doesn't run on arguments`, `remove it, or ${ownClass}`);
  if (!isTransformed && field.transformer.transforms.length > 0) {
    const what = "has @Transform, which doesn't run on arguments unless the tool says so";
    report(what, 'write transform: true in the options of the tool, or remove it');
  }
  if (marks.size > 0) checkStringMarks(marks, type, report);
}

function checkStringMarks(
  marks: FieldMetadata['marks'],
  type: ArgumentType,
  report: ReportProblem,
): void {
  const [meaning, other] = meaningMarks.filter(([mark]) => marks.has(mark));
  if (meaning !== undefined && other !== undefined)
    report(`has both ${meaning[1]} and ${other[1]}`, 'remove one of them');
  for (const [mark, decorator] of stringMarks)
    if (marks.has(mark) && !kindsWithStrings.some((kind) => hasKind(type, kind)))
      report(`has ${decorator}, but no strings`, `put ${decorator}() on a field of strings`);
}

/** A string has one meaning. */
const meaningMarks = [
  ['path', '@PathField'],
  ['url', '@Url'],
  ['glob', '@Glob'],
] as const;

const stringMarks = [...meaningMarks, ['verbatim', '@Verbatim']] as const;

/** An invalid type is reported already. */
const kindsWithStrings = ['string', 'any', 'schema', 'invalid'] as const;

const ownClass = 'give the tool its own argument class';

function checkConstraint(
  { decorator, name, origin, role, check, groups }: Constraint,
  report: ReportProblem,
): void {
  if (groups.length > 0) {
    report(
      `has ${decorator} for the validation groups ${groups.join(', ')}, but the tool has no groups`,
      `write groups: ['${groups[0]}'] in the options of the tool, or remove the groups`,
    );
  }
  // All of class-validator's own checks are synchronous.
  const isOwn = role === 'check' && constraintMapping({ name, origin }) === undefined;
  if (role === 'promise' || (isOwn && check?.timing() === 'async')) {
    report(
      `has ${decorator}, which is asynchronous, but arguments are validated synchronously`,
      'check it in execute() and throw a ToolRetry',
    );
  }
  if ((role === 'check' || role === 'defined') && check === undefined) {
    report(
      `has ${decorator}, which has no check to run`,
      'put @ValidatorConstraint() on the validator class',
    );
  }
}

function checkPresence(field: DeclaredField, hasDefault: boolean, report: ReportProblem): void {
  const isDefined = field.constraints.some(({ role }) => role === 'defined');
  const isConditional = field.constraints.some(({ role }) => role === 'condition');
  if (!isDefined && !isConditional) return;
  const contradictions: readonly (readonly [boolean, string])[] = [
    ...field.constraints
      .filter(({ role }) => role === 'optional')
      .map(({ decorator }) => [isDefined, `${decorator} and @IsDefined`] as const),
    [field.statedKinds.has('nullable') && isDefined, '@Nullable and @IsDefined'],
    [hasDefault && isDefined, '@Default and @IsDefined'],
    [hasDefault && isConditional, '@Default and @ValidateIf'],
  ];
  for (const [isThere, both] of contradictions)
    if (isThere) report(`has both ${both}`, 'remove one of them');
}

/**
 * Reports decorators that have no effect on a `@FromContext` field, because models don't send it.
 */
export function checkContextField(
  field: DeclaredField,
  metadata: FieldMetadata,
  report: ReportProblem,
): void {
  const others = [
    ...(metadata.default === undefined ? [] : ['@Default']),
    ...(metadata.aliases.length === 0 ? [] : ['@Alias']),
    ...(metadata.examples.length === 0 ? [] : ['@Example']),
    ...(metadata.dependentDefaults.length === 0 ? [] : ['@PairedDefault']),
    ...field.constraints.filter(({ role }) => role !== 'allow').map(({ decorator }) => decorator),
  ];
  if (others.length === 0) return;
  report(
    `is set by the application (@FromContext), so ${others.join(', ')} would have no effect`,
    'remove all but @FromContext',
  );
}

export interface KeywordedConstraint {
  readonly constraint: Constraint;
  readonly keywords: SchemaObject;
}

/** Reports bounds that no value satisfies. Patterns and custom checks are not compared. */
export function checkContradictions(
  constraints: readonly KeywordedConstraint[],
  report: ReportProblem,
): void {
  const bounds = constraints.flatMap(boundsOf);
  if (bounds.length < 2) return;
  for (const reach of ['value', 'items'] as const) {
    const reached = bounds.filter(({ constraint }) => constraint.reach === reach);
    if (reached.length < 2) continue;
    for (const { lower, upper } of boundKeywords) {
      for (const least of reached.filter(({ keyword }) => lower.includes(keyword))) {
        for (const most of reached.filter(({ keyword }) => upper.includes(keyword)))
          checkBounds(least, most, report);
      }
    }
  }
}

const boundKeywords: readonly Readonly<Record<'lower' | 'upper', readonly string[]>>[] = [
  { lower: ['minimum', 'exclusiveMinimum'], upper: ['maximum', 'exclusiveMaximum'] },
  { lower: ['minLength'], upper: ['maxLength'] },
  { lower: ['minItems'], upper: ['maxItems'] },
];

interface Bound {
  readonly constraint: Constraint;
  readonly keyword: string;
  readonly value: number;
}

const boundsOf = ({ constraint, keywords }: KeywordedConstraint): readonly Bound[] =>
  Object.keys(keywords).flatMap((keyword) => {
    const value = keywords[keyword];
    return typeof value === 'number' ? [{ constraint, keyword, value }] : [];
  });

const isExclusive = ({ keyword }: Bound): boolean => keyword.startsWith('exclusive');

/** The decorator with its parameters: `@Min(5)`. */
function sourceOf({ constraint }: Bound): string {
  const { decorator, parameters } = constraint;
  if (isFieldBound(constraint)) return decorator;
  const texts = parameters.flatMap((parameter) => JSON.stringify(parameter) ?? []);
  return `${decorator}(${texts.join(', ')})`;
}

function checkBounds(least: Bound, most: Bound, report: ReportProblem): void {
  const isSatisfiable =
    least.value < most.value ||
    (least.value === most.value && !isExclusive(least) && !isExclusive(most));
  if (isSatisfiable) return;
  const both = [...new Set([sourceOf(least), sourceOf(most)])].join(' and ');
  report(`has ${both}, which no value satisfies`, 'write bounds that leave a value between them');
}

/** Reports problems between the fields of a class, in its examples and in its `@Check` methods. */
export function checkClass(
  model: ClassModel,
  models: ClassModels,
  problems: DefinitionProblems,
): void {
  for (const field of model.fields) {
    const report = problems.at(model.name, field.name);
    checkAliases(model, field, report);
    checkDependentDefaults(model, field, report);
    for (const part of partsOf(field.type))
      if (part.kind === 'oneOf') checkOneOf(part, models, report);
  }
  for (const name of model.checks) checkMethod(model, name, problems.at(model.name, name));
  checkNames(model, problems);
  checkExamples(model, problems);
}

function checkAliases(model: ClassModel, field: FieldModel, report: ReportProblem): void {
  if (field.aliases.length === 0) return;
  const otherAliases = model.fields
    .filter((other) => other !== field)
    .flatMap(({ aliases }) => aliases);
  const otherNames = [...model.members].filter((name) => name !== field.name);
  for (const alias of field.aliases) {
    const isSpelledAlike = (name: string): boolean => spellingOf(name) === spellingOf(alias);
    const similarField = otherNames.find(isSpelledAlike);
    if (model.members.has(alias))
      report(`has the alias ${alias}, which is a field`, 'remove the alias');
    else if (similarField !== undefined)
      report(
        `has the alias ${alias}, which is spelled like the field ${similarField}`,
        'remove the alias',
      );
    const similarAlias = otherAliases.find(isSpelledAlike);
    if (similarAlias === alias)
      report(`shares the alias ${alias} with another field`, 'keep it on one of them');
    else if (similarAlias !== undefined)
      report(
        `has the alias ${alias}, which is spelled like the alias ${similarAlias} of another field`,
        'keep it on one of them',
      );
  }
}

function checkDependentDefaults(model: ClassModel, field: FieldModel, report: ReportProblem): void {
  for (const { other } of field.dependentDefaults) {
    const otherField = model.fields.find(({ name }) => name === other);
    if (otherField === field) report('is paired with itself', 'name another field of the class');
    else if (otherField === undefined)
      report(`is paired with ${other}, which is not a field`, 'name a field of the class');
    else if (otherField.marks.has('secret'))
      report(
        `sets a default for ${other}, a @Secret, which the note to the model would show`,
        'set it in execute()',
      );
    else if (otherField.presence === 'required')
      report(`is paired with ${other}, which is required`, `put @Optional() on ${other}`);
  }
}

function checkOneOf(
  { Classes, discriminator }: OneOfType,
  models: ClassModels,
  report: ReportProblem,
): void {
  const classByValue = new Map<unknown, string>();
  for (const Class of Classes) {
    const values = discriminatorValues(models.byClass.get(Class), discriminator);
    if (values.length === 0) {
      report(
        `identifies ${Class.name} by ${discriminator}, which is not a required constant in it`,
        `write @Equals('…') ${discriminator} in ${Class.name}`,
      );
    }
    for (const value of values) {
      const other = classByValue.get(value);
      if (other !== undefined) {
        report(
          `can't tell ${other} and ${Class.name} apart: ${discriminator} is ${JSON.stringify(value)} in both`,
          'give each class its own constant',
        );
      }
      classByValue.set(value, Class.name);
    }
  }
}

function checkMethod({ Class }: ClassModel, name: string, report: ReportProblem): void {
  const method: unknown = Reflect.get(Class.prototype, name);
  if (typeof method === 'function' && method.length > 0)
    report(
      'is a @Check with a parameter, but is called without arguments',
      'read the fields from this',
    );
  if (!isAsyncFunction(method)) return;
  report(
    'is an asynchronous @Check, but arguments are validated synchronously',
    'return true or the sentence, and do slow checks in execute(), which can throw a ToolRetry',
  );
}

/** Reports fields whose names are spelled alike: a misspelling of one could mean the other. */
function checkNames({ name, members }: ClassModel, problems: DefinitionProblems): void {
  const firstBySpelling = new Map<string, string>();
  for (const member of members) {
    const spelling = spellingOf(member);
    const first = firstBySpelling.get(spelling);
    if (first === undefined) firstBySpelling.set(spelling, member);
    else problems.at(name, member)(`is spelled like the field ${first}`, 'rename one of them');
  }
}

function checkExamples({ name, fields, examples }: ClassModel, problems: DefinitionProblems): void {
  for (const field of fields.filter(({ marks }) => marks.has('secret'))) {
    if (examples.some((example) => isJsonObject(example) && Object.hasOwn(example, field.name)))
      problems.at(name, field.name)(
        "is a @Secret, but the class's @Example shows it to models",
        'remove it from the example',
      );
  }
}

/** Reports fields that only @nestjs/swagger describes. */
export function checkDocumented(
  name: string,
  onlyDocumented: ReadonlyMap<string, DocumentedBy>,
  problems: DefinitionProblems,
): void {
  const instead = 'write @IsString(), @IsInt() or another decorator that states its type';
  for (const [member, by] of onlyDocumented)
    if (by === '@ApiProperty')
      problems.at(name, member)(
        "has only @ApiProperty, which validates nothing, so models don't see it",
        instead,
      );
    else
      problems.at(name, member)(
        "is known only by the compiler plugin of @nestjs/swagger, which validates nothing, so models don't see it",
        `${instead}, or @ApiHideProperty() if it is not an argument`,
      );
}

/**
 * An argument class needs fields and a constructor without parameters. A tool class and the class
 * of a result don't.
 */
export function checkConstruction(
  { Class, name, members }: ClassModel,
  classIs: 'tool' | 'arguments' | 'result',
  problems: DefinitionProblems,
): void {
  const report = problems.at(name);
  const count = parameterCount(Class);
  if (classIs !== 'tool' && members.size === 0)
    report('has no decorated field', 'decorate its fields, for example with @IsString()');
  if (classIs === 'arguments' && count > 0)
    report(
      `has a constructor with ${parametersText(count)}, but is constructed without arguments`,
      'give it a constructor without parameters',
    );
}

const parametersText = (count: number): string =>
  count === 1 ? '1 parameter' : `${count} parameters`;

/** Problems of calling `new Class()`; none if the application makes the instances itself. */
export function constructionProblems(
  Class: Constructor,
  madeBy: 'application' | 'default',
): readonly DefinitionProblem[] {
  const count = parameterCount(Class);
  if (madeBy === 'application' || count === 0) return [];
  return [
    {
      where: Class.name,
      what: `has a constructor with ${parametersText(count)}, which would be undefined`,
      instead: 'give the registry create: (Class, call) => …, for example with your container',
    },
  ];
}

/** The number of parameters of the constructor that runs, which may be a parent's. */
export function parameterCount(Class: Constructor): number {
  const Parent: unknown = Object.getPrototypeOf(Class);
  const isInherited = Class.length === 0 && isClass(Parent) && inheritsConstructor(Class);
  return isInherited ? parameterCount(Parent) : Class.length;
}

/**
 * A class with initializers may have a constructor that only the compiler wrote; it passes all
 * parameters on.
 */
function inheritsConstructor(Class: Constructor): boolean {
  const source = Function.prototype.toString.call(Class);
  return !anyConstructor.test(source) || emittedConstructor.test(source);
}

const anyConstructor = /\bconstructor\s*\(/;
// TypeScript emits super(...arguments), swc and esbuild a rest parameter.
const emittedConstructor =
  /\bconstructor\s*\((?:\.\.\.(\w+))?\)\s*\{\s*super\(\.\.\.(?:arguments|\1)\)/;

/**
 * A new instance, to see its initializers. Without parameters, because an argument class has none,
 * and a tool class, which has an instance for each call, mostly only keeps them. undefined if the
 * constructor throws.
 */
export const newInstance = (Class: Constructor): object | undefined => attempt(() => new Class());

/**
 * Reports empty fields without a decorator, which models can't see, of a class that has no other
 * fields.
 */
export function checkUndecorated(
  { Class, name, members }: ClassModel,
  problems: DefinitionProblems,
): void {
  // Fields without a value may be the constructor's parameters.
  if (members.size > 0 || parameterCount(Class) > 0) return;
  for (const [field, value] of Object.entries(newInstance(Class) ?? {}))
    if (isPlaceholder(value) && !isOfContainer(Class, field))
      problems.at(name, field)("has no decorator, so models don't see it", decorateOrHide(field));
}

/** Any other value is state of the tool's own. */
const isPlaceholder = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

const decorateOrHide = (name: string): string =>
  `write @ArrayOf(String), @IsString() or another decorator, or #${name} if it is not an argument`;

/**
 * Throws a DefinitionError for an instance whose fields are set to other values than the defaults
 * that models were shown: by a constructor with parameters, which registration doesn't call, or by
 * an initializer that makes another value each time.
 */
export function requireInitialValues(instance: object, { fields, name }: ClassModel): void {
  const problems = fields.flatMap((field): readonly DefinitionProblem[] => {
    const value: unknown = Object.hasOwn(instance, field.name)
      ? Reflect.get(instance, field.name)
      : undefined;
    if (value === undefined || (field.isInitialized && isSame(value, field.default))) return [];
    const where = `${name}.${field.name}`;
    if (field.default !== undefined && !field.isInitialized)
      return [
        { where, what: 'has both @Default and an initializer', instead: 'remove the initializer' },
      ];
    const what = "has an initializer whose value models can't see";
    return [
      {
        where,
        what,
        instead: 'write `!` without a value, and @Default(value) if it may be absent',
      },
    ];
  });
  if (problems.length > 0) throw new DefinitionError(problems);
}

function isSame(value: unknown, other: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return value === other;
  const json = plainJson(value);
  return json !== undefined && other !== undefined && sameValue(json, other);
}
