import { constructionProblems } from '../classes/check-class.ts';
import { type ClassTool, toolsFromClass } from '../classes/from-class.ts';
import {
  type DefinitionProblem,
  definitionError,
  collectProblems,
  DefinitionError,
} from '../errors/definition-error.ts';
import { isMatch } from '../collections/name-pattern.ts';
import { outputValidatorOf } from '../outcomes/tool-result.ts';
import { spellingOf } from '../json/key-spelling.ts';
import { quote } from '../json/preview.ts';
import { isJsonObject } from '../json/value.ts';
import { describeSchema, describeShape } from '../messages/describe-schema.ts';
import { type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { resolveReference } from '../schema/references.ts';
import { memberSchema, saysSecret, viewsIn } from '../schema/schema-view.ts';
import { type ToolListener, emitWarnings } from '../telemetry/tool-event.ts';
import { backgroundArgument, withMetaArguments } from '../tool/meta-arguments.ts';
import { checkOwnRules } from '../tool/own-rule.ts';
import { withTimeBounds } from '../tool/time-limits.ts';
import {
  type Constructor,
  type CreateValidator,
  type MetaArgument,
  type RepairLevel,
  type ToolContract,
  isContract,
} from '../tool/tool-contract.ts';
import { type ContractValidator, validatorOf } from '../validate/validator.ts';
import type { RegistrySetting, RuleSetting } from './registry-options.ts';

/** A `@Tool` class, a class with `@ToolMethod` methods, or what `defineTool` made. */
export type RegisteredTool = Constructor | ToolContract;

/** Throws a DefinitionError with every problem of the tools, including names that are taken. */
export function readRegistration(
  tools: readonly RegisteredTool[],
  present: readonly ToolContract[],
  setting: RegistrySetting,
): readonly ToolContract[] {
  const { validator, instancesMadeBy, listeners } = setting;
  const problems: DefinitionProblem[] = [];
  const read = tools.flatMap((tool: unknown, index): readonly ToolContract[] => {
    // A contract's class may have been read without a registry.
    const Class = isContract(tool) ? classOf(tool) : isClass(tool) ? tool : undefined;
    if (Class !== undefined) problems.push(...constructionProblems(Class, instancesMadeBy));
    if (isContract(tool)) return [tool];
    if (isClass(tool)) return collectProblems(() => contractsOf(tool, validator), problems) ?? [];
    problems.push(notATool(tool, index));
    return [];
  });
  const contracts = read.map((contract) =>
    withSetting(withInnerTools(contract, problems), setting),
  );
  problems.push(...contracts.flatMap(problemsOf), ...duplicates(contracts, present));
  problems.push(...contracts.flatMap((contract) => transactionProblems(contract, setting)));
  if (problems.length > 0) throw new DefinitionError(problems);
  for (const contract of contracts) notifyWarnings(contract, listeners);
  return contracts;
}

/** Makes contracts of the tools that a dispatcher lists. */
function withInnerTools(contract: ToolContract, problems: DefinitionProblem[]): ToolContract {
  const { dispatches, name: where } = contract;
  if (dispatches?.tools === undefined) return contract;
  const tools = dispatches.tools.flatMap((tool: unknown): readonly ToolContract[] => {
    if (isContract(tool)) return [tool];
    if (isClass(tool)) return collectProblems(() => contractsOf(tool), problems) ?? [];
    const what = 'lists something that is not a tool in dispatches.tools';
    problems.push({ where, what, instead: 'list classes, or what defineTool returned' });
    return [];
  });
  return Object.freeze({ ...contract, dispatches: Object.freeze({ ...dispatches, tools }) });
}

/** Reports a schema's warnings to the listeners. Generated schemas of classes have none. */
function notifyWarnings(contract: ToolContract, listeners: readonly ToolListener[]): void {
  if (!hasGivenSchema(contract)) return;
  const interestedListeners = listeners.filter(
    (listener) => typeof listener.onWarning === 'function',
  );
  emitWarnings(
    validatorOf(contract).warnings,
    interestedListeners.map((listener) => (warning) => listener.onWarning?.(warning)),
  );
}

/** The class whose instances run the calls. */
function classOf({ binding }: ToolContract): Constructor | undefined {
  if (binding.kind === 'class') return binding.Class;
  return binding.kind === 'method' ? binding.Owner : undefined;
}

// JavaScript callers and cyclic imports pass values that the types don't allow.
const isClass = (tool: unknown): tool is Constructor => typeof tool === 'function';

const notATool = (value: unknown, index: number): DefinitionProblem => ({
  where: `argument ${index + 1} of register`,
  what: `is ${kindOf(value)}`,
  instead:
    value === undefined
      ? 'pass a class or what defineTool returned; an imported class is undefined if its imports form a cycle'
      : 'pass the class itself, or what defineTool returned',
});

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  const Class: unknown = value.constructor;
  if (Array.isArray(value)) return 'a list';
  return isClass(Class) && Class !== Object
    ? `an instance of ${Class.name}`
    : 'an object that is not a contract';
}

function problemsOf(contract: ToolContract): readonly DefinitionProblem[] {
  const { name, binding } = contract;
  if (binding.kind === 'none') {
    return [
      {
        where: name,
        what: 'has nothing to execute',
        instead: 'make it with defineTool({ …, execute })',
      },
    ];
  }
  const problems: DefinitionProblem[] = [];
  if (hasGivenSchema(contract)) collectProblems(() => validatorOf(contract), problems);
  if (problems.length === 0) problems.push(...dispatchProblems(contract));
  collectProblems(() => outputValidatorOf(contract), problems);
  return problems;
}

/** A dispatcher finds no inner call in arguments that models are never told of. */
function dispatchProblems({
  name,
  inputSchema,
  dispatches,
}: ToolContract): readonly DefinitionProblem[] {
  if (dispatches === undefined) return [];
  const views = viewsIn(inputSchema);
  const whole = views.of(inputSchema);
  const branches =
    whole.branches.length === 0 ? [whole] : whole.branches.map((one) => views.of(one));
  const names = [...new Set(branches.flatMap(({ properties }) => [...properties.keys()]))];
  const isUndeclared = (key: string): boolean =>
    branches.every(
      (branch) =>
        !branch.properties.has(key) &&
        // An open schema without properties takes any.
        (memberSchema(branch, key) === false || names.length > 0) &&
        !branch.patternProperties.some(([matcher]) => matcher.test(key)),
    );
  return (['name', 'arguments'] as const)
    .filter((option) => isUndeclared(dispatches[option]))
    .map((option) => ({
      where: name,
      what: `has ${quote(dispatches[option])} for dispatches.${option}, which its schema does not declare`,
      instead: `name one of its arguments${names.length === 0 ? '' : `: ${names.join(', ')}`}`,
    }));
}

/** A transaction needs the database in which the call is written. */
function transactionProblems(
  { name, binding, execution }: ToolContract,
  { store }: RegistrySetting,
): readonly DefinitionProblem[] {
  if (execution?.transactional !== true) return [];
  const what = 'is transactional, and';
  if (binding.kind === 'remote') {
    const instead = 'leave transactional out: the work of a remote tool is elsewhere';
    return [{ where: name, what: `${what} it is a remote tool`, instead }];
  }
  if (store.sql !== undefined) return [];
  const instead =
    "construct the registry with journal: await openJournal({ connectionString }) of 'toolmend/journal', or leave transactional out";
  return [{ where: name, what: `${what} the registry has no journal in a database`, instead }];
}

/** The schema of a class is generated, and was checked when the class was read. */
const hasGivenSchema = ({ binding }: ToolContract): boolean =>
  binding.kind === 'function' || binding.kind === 'remote';

/** Names that differ only in case and separators count as one, because models misspell them. */
function duplicates(
  newContracts: readonly ToolContract[],
  present: readonly ToolContract[],
): readonly DefinitionProblem[] {
  const first = new Map(present.map((contract) => [spellingOf(contract.name), contract] as const));
  return newContracts.flatMap((contract) => {
    const other = first.get(spellingOf(contract.name));
    if (other === undefined) {
      first.set(spellingOf(contract.name), contract);
      return [];
    }
    const where = sourceOf(contract);
    if (other.name === contract.name && other.binding === contract.binding)
      return [{ where, what: 'is registered twice', instead: 'register it once' }];
    const what =
      other.name === contract.name
        ? `and ${sourceOf(other)} are both named ${contract.name}`
        : `is named ${contract.name}, and ${sourceOf(other)} is named ${other.name}, which is spelled alike`;
    return [{ where, what, instead: 'give one of them another name' }];
  });
}

function sourceOf({ name, binding }: ToolContract): string {
  if (binding.kind === 'class') return binding.Class.name;
  return binding.kind === 'method' ? `${binding.Owner.name}.${binding.method}` : `the tool ${name}`;
}

/** The contract with the registry's meta arguments and validator; the tool's own options win. */
export const withSetting = (
  contract: ToolContract,
  setting: Pick<RegistrySetting, 'meta' | 'validator' | 'timeLimits' | 'rules' | 'toolHints'>,
): ToolContract => {
  const { meta, validator, timeLimits, rules, toolHints } = setting;
  const ownMeta = withBackground(contract, meta).map((one) =>
    withTimeBounds(one, contract, timeLimits),
  );
  const hintedContract = withToolHints(withRules(contract, rules), toolHints);
  return withValidator(withMetaArguments(hintedContract, ownMeta), validator);
};

/** The contract with the sentences that the program has for its name, after the author's own. */
function withToolHints(
  contract: ToolContract,
  toolHints: RegistrySetting['toolHints'],
): ToolContract {
  const sentences = Object.entries(toolHints).flatMap(([pattern, hints]) =>
    isMatch(pattern, contract.name) ? hints : [],
  );
  const newSentences = sentences.filter((sentence) => !contract.hints.includes(sentence));
  if (newSentences.length === 0) return contract;
  return Object.freeze({
    ...contract,
    hints: Object.freeze([...contract.hints, ...newSentences]),
  });
}

const levels: readonly RepairLevel[] = ['off', 'lossless', 'all'];

/**
 * The contract with the registry's choice of rules added to its own; the stricter level of repair
 * wins.
 */
function withRules(contract: ToolContract, setting: RuleSetting): ToolContract {
  const level =
    levels.find((one) => one === contract.repair || one === setting.repair) ?? contract.repair;
  const isSame = level === contract.repair && Object.keys(setting.rules).length === 0;
  if (isSame && setting.ownRules.length === 0) return contract;
  const { rules = {}, ownRules = [] } = contract;
  const all = [...new Set([...ownRules, ...setting.ownRules])];
  checkOwnRules(contract.name, all);
  const switchedOff = Object.entries<boolean | undefined>(setting.rules).filter(
    ([, isOn]) => isOn === false,
  );
  return Object.freeze({
    ...contract,
    repair: level,
    rules: Object.freeze({ ...rules, ...Object.fromEntries(switchedOff) }),
    ownRules: Object.freeze(all),
  });
}

/**
 * The registry's meta arguments for one tool: `_background` if and only if the model decides about
 * it.
 */
function withBackground(
  { execution }: ToolContract,
  meta: readonly MetaArgument[],
): readonly MetaArgument[] {
  if (execution?.background !== 'allowed')
    return meta.filter(({ key }) => key !== backgroundArgument.key);
  return meta.some(({ key }) => key === backgroundArgument.key)
    ? meta
    : [...meta, backgroundArgument];
}

/** Classes with problems are not kept, because their decorators may run later. */
const contractsByClass = new WeakMap<Constructor, readonly ToolContract[]>();

/**
 * The contract of a `@Tool` class. `validator`: for a tool without one of its own. Default: that
 * of toolmend. Read once for each class. Throws a DefinitionError with all problems of the class.
 */
export function contractOf(Class: Constructor, validator?: CreateValidator): ToolContract {
  const [contract, ...others] = contractsOf(Class, validator);
  if (contract?.binding.kind === 'class' && others.length === 0) return contract;
  throw definitionError(
    Class.name,
    'has its tools on methods',
    'read them with contractsOf(Class)',
  );
}

/**
 * The contracts of a class: one for `@Tool`, one for each `@ToolMethod`. Throws as `contractOf`
 * does.
 */
export function contractsOf(
  Class: Constructor,
  validator?: CreateValidator,
): readonly ToolContract[] {
  const contracts = contractsByClass.get(Class) ?? Object.freeze(readContracts(Class));
  contractsByClass.set(Class, contracts);
  return contracts.map((contract) => withValidator(contract, validator));
}

/** The tool's own validator wins. */
function withValidator(
  contract: ToolContract,
  validator: CreateValidator | undefined,
): ToolContract {
  return contract.validator !== undefined || validator === undefined
    ? contract
    : Object.freeze({ ...contract, validator });
}

function readContracts(Class: Constructor): readonly ToolContract[] {
  const { tools, problems } = toolsFromClass(Class);
  requireSound(tools, problems);
  return tools.map(({ contract }) => contract);
}

/**
 * Throws a DefinitionError with the problems or, if there are none, those of the declared defaults
 * and examples.
 */
export function requireSound(
  tools: readonly ClassTool[],
  problems: readonly DefinitionProblem[],
): void {
  // The schema of a class with problems may refuse sound defaults.
  const all = problems.length > 0 ? problems : tools.flatMap(declaredValueProblems);
  if (all.length > 0) throw new DefinitionError(all);
}

/** The declared defaults and examples that the tool itself would refuse. */
function declaredValueProblems({ contract, values }: ClassTool): readonly DefinitionProblem[] {
  if (values.length === 0) return [];
  const validator = validatorOfExamples(contract);
  return values.flatMap((declaredValue) => {
    const { where, decorator, value, pointer } = declaredValue;
    const what = `has ${decorator} with ${JSON.stringify(value)}`;
    const fragment = pointer.split('/').map(encodeURIComponent).join('/');
    const schema = resolveReference(`#${fragment}`, validator.views.root) ?? {};
    if (!validator.acceptsPart(schema, value)) {
      const describe = isJsonObject(value) ? describeShape : describeSchema;
      const instead = `write ${describe(validator.views, schema)}`;
      return [{ where, what: `${what}, which its schema refuses`, instead }];
    }
    const [failure] = declaredValue.check();
    if (failure === undefined) return [];
    const instead = 'write a value that passes';
    return [{ where, what: `${what}, which it refuses (${failure.message})`, instead }];
  });
}

/** Required secrets are not demanded of examples, which models see. */
const validatorOfExamples = ({
  validator: _compiling,
  ...contract
}: ToolContract): ContractValidator =>
  validatorOf({ ...contract, inputSchema: withoutRequiredSecrets(contract.inputSchema) });

function withoutRequiredSecrets(schema: SchemaObject): SchemaObject {
  const copy = mapSubschemas(schema, withoutRequiredSecrets);
  const { properties = {}, required } = schema;
  if (required === undefined) return copy;
  const isSecret = (key: string): boolean => {
    const property = properties[key];
    return typeof property === 'object' && saysSecret(property);
  };
  return { ...copy, required: required.filter((key) => !isSecret(key)) };
}
