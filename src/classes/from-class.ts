import {
  type DefinitionProblem,
  type DefinitionProblems,
  type ReportProblem,
  DefinitionError,
  definitionProblems,
} from '../errors/definition-error.ts';
import { defined, freezeDeep, memberOf } from '../collections/objects.ts';
import { pointerTo } from '../json/pointers.ts';
import { type JsonObject } from '../json/value.ts';
import { type SchemaObject, withoutAnnotations } from '../schema/json-schema.ts';
import { notAnObject, schemaMistake, validatorMistake } from '../schema/not-a-schema.ts';
import { hasReference } from '../schema/references.ts';
import { aliasesOf } from '../schema/schema-view.ts';
import { canonicalKey, metaProblems } from '../tool/meta-arguments.ts';
import type {
  ArgumentCheck,
  CheckFailure,
  Constructor,
  MetaArgument,
  ToolBinding,
  ToolContract,
  ToolOptions,
} from '../tool/tool-contract.ts';
import {
  type OutputMetadata,
  type ToolMetadata,
  checkToolOptions,
  readToolMetadata,
} from '../tool/tool-options.ts';
import { classChecks } from './class-checks.ts';
import { classBinding, methodBinding } from './class-instance.ts';
import type { ClassModels, ClassOptions } from './class-model.ts';
import { classNameProblem } from './class-name.ts';
import { type DeclaredValue, classSchema } from './class-schema.ts';
import { isTransformerInstalled } from './class-validator.ts';
import { type DeclaredClass, type DeclaredToolMethod, readDeclaredClass } from './declarations.ts';
import { readClassModels } from './read-class.ts';

/** A contract, and the declared defaults and examples that it must accept. */
export interface ClassTool {
  readonly contract: ToolContract;
  readonly values: readonly DeclaredValue[];
}

/** The tools of a class: one for `@Tool`, one for each `@ToolMethod`. */
export interface ClassTools {
  readonly tools: readonly ClassTool[];
  /** Everything that is wrong with them. */
  readonly problems: readonly DefinitionProblem[];
}

export function toolsFromClass(Class: Constructor): ClassTools {
  const problems = definitionProblems();
  const declaredClass = readDeclaredClass(Class);
  const tools = [
    ...declaredClass.tools.map((options) => toolOfClass(declaredClass, options, problems)),
    ...declaredClass.toolMethods.flatMap((method) => toolOfMethod(Class, method, problems)),
  ];
  checkKind(declaredClass, problems.at(Class.name));
  return { tools, problems: problems.problems };
}

function checkKind({ tools, toolMethods }: DeclaredClass, report: ReportProblem): void {
  if (tools.length > 1) report('has @Tool twice', 'remove one of them');
  if (tools.length > 0 && toolMethods.length > 0)
    report('is a @Tool and has a @ToolMethod', 'split it into two classes');
  if (tools.length === 0 && toolMethods.length === 0)
    report(
      'is not a tool',
      'write @Tool({ description }) on the class, or @ToolMethod on a method',
    );
}

function toolOfClass(
  declaredClass: DeclaredClass,
  options: ToolOptions,
  problems: DefinitionProblems,
): ClassTool {
  const { Class } = declaredClass;
  const report = problems.at(Class.name);
  const models = readClassModels(
    Class,
    { rootIs: 'tool', declaredClass, ...classOptions(options, report) },
    problems,
  );
  if (typeof Reflect.get(Class.prototype, 'execute') !== 'function')
    report('has no method execute', 'write async execute(context) { … }');
  const unnamedContract = classNameProblem(Class.name, options);
  if (unnamedContract !== undefined)
    problems.at(unnamedContract.where)(unnamedContract.what, unnamedContract.instead);
  const writtenName = unnamedContract === undefined ? Class.name : 'unnamed';
  const metadata = readOptions(options, writtenName, report, problems);
  checkKeys(models, problems);
  return makeTool(metadata, models, classBinding(models));
}

function toolOfMethod(
  Owner: Constructor,
  { method, Arguments, options, hints }: DeclaredToolMethod,
  problems: DefinitionProblems,
): readonly ClassTool[] {
  const report = problems.at(Owner.name, method);
  if (typeof Arguments !== 'function') {
    report(
      'has @ToolMethod without an argument class',
      'write @ToolMethod(Arguments, { description })',
    );
    return [];
  }
  const models = readClassModels(
    Arguments,
    { rootIs: 'arguments', ...classOptions(options, report) },
    problems,
  );
  const metadata = readOptions(options, method, report, problems);
  checkKeys(models, problems);
  return [makeTool(metadata, models, methodBinding(Owner, method, models), hints)];
}

/** Options may be ill-valued, which is reported with everything else. */
function classOptions(
  { groups, transform }: Partial<ToolOptions>,
  report: ReportProblem,
): ClassOptions {
  const isTransformed = transform === true;
  if (isTransformed && !isTransformerInstalled())
    report(
      'has transform: true, but class-transformer is not installed',
      'install class-transformer',
    );
  return { groups: Array.isArray(groups) ? groups : [], transform: isTransformed };
}

function readOptions(
  options: ToolOptions,
  writtenName: string,
  report: ReportProblem,
  problems: DefinitionProblems,
): ToolMetadata {
  checkToolOptions(options, report);
  const output = readOutputSchema(options.outputSchema, report, problems);
  return readToolMetadata(options, writtenName, output, report);
}

/** `hints`: the tool's own; those of its arguments follow. */
function makeTool(
  metadata: ToolMetadata,
  models: ClassModels,
  binding: ToolBinding,
  hints: readonly string[] = [],
): ClassTool {
  const { schema, values } = classSchema(models);
  const ofArguments = [...models.byClass.values()].flatMap((model) => [
    ...model.hints,
    ...model.fields.flatMap((field) => field.hints),
  ]);
  const contract: ToolContract = Object.freeze({
    ...metadata,
    ...executionWithKey(metadata, models),
    hints: Object.freeze([...hints, ...ofArguments]),
    inputSchema: freezeDeep(schema),
    strict: Object.freeze({ paths: 'declared', spellings: true }),
    meta: Object.freeze([]),
    contextFields: Object.freeze(models.root.contextFields.map(({ name }) => name)),
    ...classChecks(models),
    binding: Object.freeze(binding),
  });
  return { contract, values };
}

/** An idempotency key is kept, and it is one of the arguments themselves. */
function checkKeys({ root, byClass }: ClassModels, problems: DefinitionProblems): void {
  for (const model of byClass.values()) {
    for (const { name, marks } of model.fields.filter((field) =>
      field.marks.has('idempotencyKey'),
    )) {
      const report = problems.at(model.name, name);
      if (marks.has('secret'))
        report(
          'has both @Secret and @IdempotencyKey, and a journal keeps keys',
          'name the work by another field',
        );
      if (model !== root)
        report(
          'has @IdempotencyKey inside an argument',
          'write idempotencyKey: (values) => … in the options of the tool',
        );
    }
  }
}

/**
 * The fields with `@IdempotencyKey` as the option `idempotencyKey`, which wins over them. A call
 * without one of them has no key.
 */
function executionWithKey(
  { execution }: ToolMetadata,
  { root }: ClassModels,
): Pick<ToolContract, 'execution'> | undefined {
  const keys = root.fields
    .filter(({ marks }) => marks.has('idempotencyKey'))
    .map(({ name }) => name);
  if (keys.length === 0 || execution?.idempotencyKey !== undefined) return undefined;
  const idempotencyKey = (values: object): unknown => {
    const parts = keys.map((key): unknown => Reflect.get(values, key) ?? undefined);
    if (parts.includes(undefined)) return undefined;
    return parts.length === 1 ? parts[0] : parts;
  };
  return { execution: Object.freeze({ ...execution, idempotencyKey }) };
}

/**
 * Reads the option `outputSchema`: a JSON Schema, or a class that is decorated like an argument
 * class.
 */
export function readOutputSchema(
  outputSchema: ToolOptions['outputSchema'],
  report: ReportProblem,
  problems: DefinitionProblems,
): OutputMetadata {
  if (outputSchema === undefined) return {};
  if (isFunction(outputSchema)) return outputOfClass(outputSchema, problems);
  const mistake = schemaMistake(outputSchema);
  if (mistake === undefined && memberOf(outputSchema, 'type') === 'object')
    return outputSchemas(structuredClone(outputSchema));
  const { what, instead } = mistake ?? {
    what: notAnObject.what,
    instead: `${notAnObject.instead}, or a class with decorated fields`,
  };
  report(`has an outputSchema that ${what}`, instead);
  return {};
}

export interface ClassAnswer extends ClassTool {
  readonly problems: readonly DefinitionProblem[];
  readonly makeInstance: (values: JsonObject) => object;
}

export function answerOfClass(Class: Constructor, options: ClassOptions): ClassAnswer {
  const problems = definitionProblems();
  const models = readClassModels(
    Class,
    { rootIs: 'arguments', ...classOptions(options, problems.at(Class.name)) },
    problems,
  );
  refuseContextFields(models, ['the class of an answer', 'set it after parseAs'], problems);
  const binding = methodBinding(Class, '', models);
  const metadata = readToolMetadata(
    { name: 'answer', description: '' },
    Class.name,
    {},
    problems.at(Class.name),
  );
  const { contract, values } = makeTool(metadata, models, { kind: 'none' });
  const unnamedContract = Object.freeze({ ...contract, isUnnamed: true as const });
  return {
    contract: unnamedContract,
    values,
    problems: problems.problems,
    makeInstance: (argumentValues) => binding.makeArguments(argumentValues, {}),
  };
}

/** Nothing gives a context to an answer or a result. */
function refuseContextFields(
  { byClass }: ClassModels,
  [where, instead]: readonly [string, string],
  problems: DefinitionProblems,
): void {
  for (const { name, contextFields } of byClass.values()) {
    for (const field of contextFields)
      problems.at(name, field.name)(`is @FromContext in ${where}`, instead);
  }
}

function outputOfClass(Class: Constructor, problems: DefinitionProblems): OutputMetadata {
  const models = readClassModels(Class, { rootIs: 'result' }, problems);
  refuseContextFields(models, ['a result class', 'remove it: the tool fills its result'], problems);
  const outputCheck = classChecks(models).check;
  return { ...outputSchemas(classSchema(models).schema), ...defined({ outputCheck }) };
}

const outputSchemas = (annotatedSchema: SchemaObject): OutputMetadata => ({
  outputSchema: freezeDeep(withoutAnnotations(annotatedSchema)),
  annotatedOutputSchema: freezeDeep(annotatedSchema),
});

const isFunction = (value: unknown): value is Constructor => typeof value === 'function';

/** The schema of each meta argument, by its name without the underscore. */
export type MetaSchemas = Readonly<Record<string, SchemaObject>>;

/**
 * Meta arguments for the option `meta` of a registry: the field `ticket` is `_ticket` to the model
 * and `ticket` in `context.meta`. A class is decorated like an argument class, and its fields are
 * required unless they have `@Optional()` or `@IsOptional()`; arguments given as schemas are
 * optional. Throws a DefinitionError with all problems.
 */
export function metaFields(fields: Constructor | MetaSchemas): readonly MetaArgument[] {
  const problems = definitionProblems();
  const isClass = typeof fields === 'function';
  const where = isClass ? fields.name : 'metaFields';
  const { schemas, required, check }: MetaClass = isClass
    ? readMetaClass(fields, problems)
    : { schemas: fields, required: [] };
  const meta = Object.entries(schemas).flatMap(([name, schema]): readonly MetaArgument[] => {
    const mistake = validatorMistake(schema) ?? (hasReference(schema) ? metaReference : undefined);
    if (mistake !== undefined) {
      problems.at(where, name)(mistake.what, mistake.instead);
      return [];
    }
    const argument = {
      key: canonicalKey(name),
      name,
      aliases: aliasesOf(schema),
      isRequired: required.includes(name),
      schema: freezeDeep(structuredClone(schema)),
    };
    return [check === undefined ? argument : { ...argument, check }];
  });
  const all = [...problems.problems, ...metaProblems(meta, where)];
  if (all.length > 0) throw new DefinitionError(all);
  return freezeDeep(meta);
}

/**
 * The schema becomes a part of many tools' schemas, in which its references would lead elsewhere.
 */
const metaReference = {
  what: 'refers to another schema or class',
  instead: 'write its fields as separate meta arguments, or inline the schema',
};

interface MetaClass {
  readonly schemas: MetaSchemas;
  readonly required: readonly string[];
  readonly check?: ArgumentCheck;
}

function readMetaClass(Class: Constructor, problems: DefinitionProblems): MetaClass {
  const models = readClassModels(Class, { rootIs: 'arguments' }, problems);
  const { properties = {}, required = [] } = classSchema(models).schema;
  const { contextFields, checks, fields } = models.root;
  for (const { name } of contextFields)
    problems.at(Class.name, name)(
      'is set by the application, so it is not a meta argument',
      'remove it',
    );
  for (const check of checks)
    problems.at(Class.name, check)(
      'is a @Check, but meta arguments are validated one by one',
      'check it in the tool',
    );
  for (const { name, default: defaultValue } of fields) {
    if (defaultValue !== undefined)
      problems.at(Class.name, name)(
        'has a @Default, but an absent meta argument stays absent',
        'write ?? where it is read',
      );
  }
  const { check } = classChecks(models);
  return {
    schemas: Object.fromEntries(
      Object.entries(properties).flatMap(([name, schema]) =>
        typeof schema === 'boolean' ? [] : [[name, schema] as const],
      ),
    ),
    required,
    ...(check === undefined ? {} : { check: (value: JsonObject) => failuresOfSent(check, value) }),
  };
}

/** Leaves out the failures of meta arguments that the call doesn't have. */
function failuresOfSent(check: ArgumentCheck, value: JsonObject): readonly CheckFailure[] {
  const sentPointers = Object.keys(value).map((name) => `${pointerTo('', name)}/`);
  return check(value).filter(({ path }) =>
    sentPointers.some((pointer) => `${path}/`.startsWith(pointer)),
  );
}
