import type { ReportProblem, DefinitionProblems } from '../errors/definition-error.ts';
import { defined, freezeDeep } from '../collections/objects.ts';
import { type JsonValue, copyJson } from '../json/value.ts';
import type { Constructor } from '../tool/tool-contract.ts';
import {
  type ArgumentType,
  classType,
  classesIn,
  contradictsEmitted,
  hasKind,
  invalid,
  kindFacts,
  meetTypes,
  resolveType,
  typeText,
  withoutNull,
} from './argument-type.ts';
import {
  checkClass,
  checkConstruction,
  checkContextField,
  checkContradictions,
  checkDocumented,
  checkField,
  checkUndecorated,
  newInstance,
} from './check-class.ts';
import {
  type ClassModel,
  type ClassModels,
  type ClassOptions,
  type ContextField,
  type FieldMetadata,
  type FieldModel,
  plainJson,
} from './class-model.ts';
import type { Condition, Constraint } from './class-validator.ts';
import { constraintMapping, keywordsOf } from './constraint-keywords.ts';
import { isFieldBound } from './field-bounds.ts';
import { type DeclaredClass, type DeclaredField, readDeclaredClass } from './declarations.ts';

interface ReadOptions extends ClassOptions {
  /** What the root declares, if it was read already. */
  readonly declaredClass?: DeclaredClass;
  readonly rootIs: 'tool' | 'arguments' | 'result';
}

/** Reads a class and all classes that its fields name, and reports their problems. */
export function readClassModels(
  Root: Constructor,
  options: ReadOptions,
  problems: DefinitionProblems,
): ClassModels {
  const { rootIs } = options;
  const root = readClass(Root, options, problems);
  const byClass = new Map([[Root, root]]);
  for (const model of byClass.values()) {
    for (const Class of model.fields.flatMap(({ type }) => classesIn(type)))
      if (!byClass.has(Class)) byClass.set(Class, readClass(Class, options, problems));
  }
  const models = { root, byClass };
  for (const model of byClass.values()) {
    checkConstruction(model, rootIs === 'tool' && model !== root ? 'arguments' : rootIs, problems);
    if (rootIs !== 'result') checkUndecorated(model, problems);
    checkClass(model, models, problems);
  }
  return models;
}

function readClass(
  Class: Constructor,
  options: ReadOptions,
  problems: DefinitionProblems,
): ClassModel {
  const isRead = options.declaredClass?.Class === Class && (options.groups ?? []).length === 0;
  const declaredClass =
    options.declaredClass !== undefined && isRead
      ? options.declaredClass
      : readDeclaredClass(Class, options.groups);
  // A tool constructs its own results.
  const initial = options.rootIs === 'result' ? {} : (newInstance(Class) ?? {});
  const name = Class.name === '' ? 'a class without a name' : Class.name;
  const fields: FieldModel[] = [];
  const contextFields: ContextField[] = [];
  for (const field of declaredClass.fields) {
    const report = problems.at(name, field.name);
    const metadata = readMetadata(field, report);
    const [context] = field.stated('context');
    if (context === undefined) {
      const completeMetadata = withInitializer(field, metadata, initial, report);
      fields.push(...readField(field, completeMetadata, options, report));
    } else {
      checkContextField(field, metadata, report);
      contextFields.push({ name: field.name, key: context.value.key ?? field.name });
    }
  }
  for (const { member, problems: wrong } of declaredClass.wrong)
    for (const { what, instead } of wrong) problems.at(name, member)(what, instead);
  checkDocumented(name, declaredClass.onlyDocumented, problems);
  return {
    Class,
    name,
    members: new Set(declaredClass.fields.map((field) => field.name)),
    fields,
    contextFields,
    checks: declaredClass.checks,
    examples: declaredClass.examples.flatMap((value) =>
      readJson('@Example', value, problems.at(name)),
    ),
    hints: declaredClass.hints,
  };
}

/** Empty if the field's type is invalid. */
function readField(
  field: DeclaredField,
  metadata: FieldMetadata,
  { transform = false }: ReadOptions,
  report: ReportProblem,
): readonly FieldModel[] {
  const transforms = transform ? field.transformer.transforms : [];
  const type = readType(field, transforms.length > 0 ? 'transformed' : 'as declared', report);
  checkField(field, metadata, { type, isTransformed: transform }, report);
  if (type.kind === 'invalid') return [];
  const presence = presenceOf(field, metadata);
  const checks = field.constraints.filter(({ role }) => role === 'check' || role === 'defined');
  // The schema can't express a constraint that applies on a condition.
  const unconditional =
    presence === 'conditional' ? [] : checks.filter(({ condition }) => condition === undefined);
  const keywordedConstraints = unconditional.flatMap((constraint) => {
    const keywords = keywordsOf(constraint, reachedType(constraint, type));
    return keywords === undefined ? [] : [{ constraint, keywords }];
  });
  checkContradictions(keywordedConstraints, report);
  const keywordConstraints = keywordedConstraints.map(({ constraint }) => constraint);
  return [
    {
      ...metadata,
      name: field.name,
      type,
      presence,
      transforms,
      keywordConstraints,
      checkedConstraints: checks.filter(
        (constraint) =>
          !keywordConstraints.includes(constraint) ||
          constraintMapping(constraint)?.needsCheck?.(constraint) === true,
      ),
      conditions: field.constraints.flatMap(conditionsOf),
    },
  ];
}

/** The type that a constraint checks: the value's, or with `each` the elements'. */
function reachedType({ reach }: Constraint, type: ArgumentType): ArgumentType {
  const bare = withoutNull(type);
  return reach === 'items' && bare.kind === 'array' ? bare.items : bare;
}

/** An initializer of an optional field is its default. */
function withInitializer(
  field: DeclaredField,
  metadata: FieldMetadata,
  instance: object,
  report: ReportProblem,
): FieldMetadata {
  const value: unknown = Object.hasOwn(instance, field.name)
    ? Reflect.get(instance, field.name)
    : undefined;
  if (value === undefined) return metadata;
  if (metadata.default !== undefined) {
    report('has both @Default and an initializer', 'remove the initializer');
    return metadata;
  }
  const presence = presenceOf(field, metadata);
  if (presence !== 'optional') {
    const instead =
      presence === 'required'
        ? 'write @Optional() too, or `!` without a value'
        : 'set the value in the tool';
    report('has an initializer, but is not optional, so it has no default', instead);
    return metadata;
  }
  const [json] = readJson('an initializer', value, report);
  return { ...metadata, ...defined({ default: json }), isInitialized: json !== undefined };
}

function presenceOf(
  { constraints }: DeclaredField,
  metadata: FieldMetadata,
): FieldModel['presence'] {
  if (constraints.some(({ role }) => role === 'condition')) return 'conditional';
  const isOptional =
    metadata.default !== undefined || constraints.some(({ role }) => role === 'optional');
  return isOptional ? 'optional' : 'required';
}

/** `@Optional` is a condition: an absent value is not checked. */
function conditionsOf({ role, condition }: Constraint): readonly Condition[] {
  if (role === 'optional') return [(_object, value) => value !== undefined];
  return role === 'condition' && condition !== undefined ? [condition] : [];
}

/** Of a field that has only decorators of class-validator. */
const noMetadata: FieldMetadata = {
  examples: [],
  examplesBy: '@Example',
  hints: [],
  aliases: [],
  dependentDefaults: [],
  isInitialized: false,
  marks: new Set(),
};

function readMetadata(field: DeclaredField, report: ReportProblem): FieldMetadata {
  if (field.statedKinds.size === 0) return noMetadata;
  for (const key of onlyOnce) {
    if (!field.statedKinds.has(key)) continue;
    const [first, second] = field.stated(key);
    if (first !== undefined && second !== undefined)
      report(`has both ${first.decorator} and ${second.decorator}`, 'remove one of them');
  }
  const [description] = field.stated('description');
  const [title] = field.stated('title');
  const [defaultValue] = field
    .stated('default')
    .flatMap(({ decorator, value }) => readJson(decorator, value.value, report));
  const examples = field.stated('example');
  if (description !== undefined && isBlank(description.value)) {
    const what = `has ${description.decorator} with an empty description`;
    report(what, 'say what the argument is for, or remove it');
  }
  return {
    ...defined({ description: description?.value, title: title?.value, default: defaultValue }),
    examples: examples.flatMap(({ decorator, value }) => readJson(decorator, value.value, report)),
    examplesBy: examples[0]?.decorator ?? noMetadata.examplesBy,
    hints: field.stated('hint').map(({ value }) => value),
    aliases: readAliases(field, report),
    dependentDefaults: field
      .stated('dependentDefault')
      .flatMap(({ decorator, value: { other, value } }) =>
        readJson(decorator, value, report).map((json) => ({ other, value: json })),
      ),
    isInitialized: false,
    marks: new Set([...field.statedKinds].filter(isFieldMark)),
  };
}

const fieldMarks = [
  'path',
  'url',
  'glob',
  'verbatim',
  'secret',
  'idempotencyKey',
  'nullable',
  'hintsOff',
] as const;

type FieldMark = (typeof fieldMarks)[number];

const isFieldMark = (kind: string): kind is FieldMark => fieldMarks.some((mark) => mark === kind);

const onlyOnce = ['description', 'title', 'default', 'context', ...fieldMarks] as const;

function readAliases(field: DeclaredField, report: ReportProblem): readonly string[] {
  const statedAliases = field.stated('aliases');
  if (statedAliases.some(({ value }) => value.length === 0 || value.some(isBlank)))
    report('has @Alias without a name', "write @Alias('name') with a name that models send");
  return [...new Set(statedAliases.flatMap(({ value }) => value))];
}

const isBlank = (text: unknown): boolean => typeof text !== 'string' || text.trim() === '';

/** A frozen copy of the value, in an array; empty, and reported, if the value is not JSON. */
function readJson(decorator: string, value: unknown, report: ReportProblem): readonly JsonValue[] {
  const json = plainJson(value);
  if (json !== undefined) return [freezeDeep(copyJson(json))];
  report(
    `has ${decorator} with a value that is not JSON`,
    'write the value as a model would send it',
  );
  return [];
}

interface TypeStatement {
  readonly decorator: string;
  readonly type: ArgumentType;
  /** Whether the decorator takes `{ each: true }`. `nowhere`: nor does any other of its meaning. */
  readonly each: 'can' | 'cannot' | 'nowhere';
}

/**
 * The type on which all decorators agree. A contradiction is reported and makes the type invalid.
 */
function readType(
  field: DeclaredField,
  fieldIs: 'as declared' | 'transformed',
  report: ReportProblem,
): ArgumentType {
  const type = mergeStatements(statementsOf(field, report), report);
  if (hasKind(type, 'invalid')) return invalid;
  if (hasKind(type, 'unknown')) {
    report(
      type.kind === 'unknown' ? 'has no type' : 'has no element type',
      typeToWrite(type, field),
    );
    return invalid;
  }
  if (fieldIs === 'as declared' && contradictsEmitted(type, field.emittedType)) {
    report(
      `is declared as ${typeText(type)}, but its TypeScript type is ${constructorName(field.emittedType)}`,
      field.emittedType === Array ? 'write @ArrayOf with the element type' : 'make the two agree',
    );
    return invalid;
  }
  return field.statedKinds.has('nullable') && type.kind !== 'nullable'
    ? { kind: 'nullable', type }
    : type;
}

/** Our own decorators come first: the type is nullable only if the first statement is. */
function statementsOf(field: DeclaredField, report: ReportProblem): readonly TypeStatement[] {
  const ownStatements = field.stated('type').map(({ decorator, value }): TypeStatement => {
    const type = resolveType(value, report);
    // Its enum is often that of the elements.
    const isOfItems = decorator === '@ApiProperty' && type.kind === 'enum' && isArray(field);
    return { decorator, type: isOfItems ? { kind: 'array', items: type } : type, each: 'cannot' };
  });
  const { typeOf } = field.transformer;
  const ofConstraints = field.constraints.flatMap(statementOf);
  if (typeOf === undefined) return [...ownStatements, ...ofConstraints];
  // class-transformer's @Type names the element type of an array.
  const type = classType(typeOf, report);
  const typeWithItems: ArgumentType = isArray(field) ? { kind: 'array', items: type } : type;
  return [
    ...ownStatements,
    ...ofConstraints,
    { decorator: '@Type', type: typeWithItems, each: 'cannot' },
  ];
}

function statementOf(constraint: Constraint): readonly TypeStatement[] {
  const { reach, condition, role, decorator } = constraint;
  const each = isFieldBound(constraint) ? 'nowhere' : 'can';
  const statesType = role === 'check' && condition === undefined;
  const type = statesType ? constraintMapping(constraint)?.type?.(constraint) : undefined;
  if (reach === 'value') return type === undefined ? [] : [{ decorator, type, each }];
  const items: ArgumentType = type ?? { kind: 'unknown' };
  return [
    { decorator: `${decorator}({ each: true })`, type: { kind: 'array', items }, each: 'can' },
  ];
}

const isArray = (field: DeclaredField): boolean =>
  field.stated('type').some(({ value }) => value.kind === 'array') ||
  field.constraints.some(
    ({ name, origin, reach }) =>
      reach === 'items' ||
      (origin === 'class-validator' && (name === 'isArray' || name.startsWith('array'))),
  );

function mergeStatements(
  [first, ...others]: readonly TypeStatement[],
  report: ReportProblem,
): ArgumentType {
  if (first === undefined) return { kind: 'unknown' };
  let mergedStatement = first;
  for (const statement of others) {
    const type = meetTypes(mergedStatement.type, statement.type);
    if (type === undefined) {
      report(
        `is ${statedBy(mergedStatement)} and ${statedBy(statement)}`,
        insteadOfBoth(mergedStatement, statement),
      );
      return invalid;
    }
    if (type !== mergedStatement.type)
      mergedStatement = {
        ...(typeText(type) === typeText(mergedStatement.type) ? mergedStatement : statement),
        type,
      };
  }
  return mergedStatement.type;
}

const statedBy = ({ type, decorator }: TypeStatement): string =>
  `${typeText(type)} by ${decorator}`;

function insteadOfBoth(one: TypeStatement, other: TypeStatement): string {
  const [list, element] = one.type.kind === 'array' ? [one, other] : [other, one];
  const neither = 'remove one of them';
  if (one.each === 'nowhere' || other.each === 'nowhere') return neither;
  if (list.type.kind !== 'array' || element.type.kind === 'array') return neither;
  const items = elementText(element.type);
  if (element.each === 'cannot')
    return items === undefined ? neither : `write @ArrayOf(${items}) instead of both`;
  const each = `${element.decorator}({ each: true }) for the elements`;
  // The element type is known, so only the constraint is misplaced.
  if (list.type.items.kind !== 'unknown' || items === undefined)
    return `write ${each}, or ${neither}`;
  return `write @ArrayOf(${items}) instead of both, or beside it ${each}`;
}

function elementText(type: ArgumentType): string | undefined {
  if (type.kind === 'class') return `() => ${type.Class.name}`;
  if (type.kind === 'oneOf') return `oneOf('${type.discriminator}', () => [...])`;
  return kindFacts.get(type.kind)?.element;
}

function typeToWrite(type: ArgumentType, { constraints, emittedType }: DeclaredField): string {
  const isNested = constraints.some(({ role }) => role === 'nested');
  if (type.kind !== 'unknown')
    return `write ${isNested ? `@ArrayOf(() => Class)${secondCopy}` : arrayDecorator}`;
  if (isNested)
    return `write @Nested(() => Class), or @ArrayOf(() => Class) for an array${secondCopy}`;
  return `write ${decoratorsFor.get(emittedType) ?? anyDecorator}`;
}

/** class-transformer keeps its metadata in its module. */
const secondCopy =
  ' (if @Type is there, it is from a second copy of class-transformer, which toolmend does not see)';

const arrayDecorator = '@ArrayOf with the element type, for example @ArrayOf(String)';

/** By the type that the compiler emitted. */
const decoratorsFor: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [String, '@Field({ type: String }) or @IsString()'],
  [Number, '@Field({ type: Number }), @Field({ type: integer }), @IsNumber() or @IsInt()'],
  [Boolean, '@Field({ type: Boolean }) or @IsBoolean()'],
  [Date, '@Field({ type: Date }) or @IsDate()'],
  [Array, arrayDecorator],
]);

const anyDecorator =
  '@Field({ type: String }) or another type, @ArrayOf(...), @Nested(() => Class), or a decorator of class-validator, such as @IsString()';

const constructorName = (emittedType: unknown): string =>
  typeof emittedType === 'function' ? emittedType.name : String(emittedType);
