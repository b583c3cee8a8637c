import { type ClassTool, toolsFromClass } from '../classes/from-class.ts';
import { type DefinitionProblem, DefinitionError } from '../errors/definition-error.ts';
import { describeSchema, describeShape } from '../messages/describe-schema.ts';
import { type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { resolveReference } from '../schema/references.ts';
import { saysSecret } from '../schema/schema-view.ts';
import type { Constructor, CreateValidator, ToolContract } from '../tool/tool-contract.ts';
import { createAjvValidator } from '../validate/ajv-validator.ts';
import { type ContractValidator, validatorOf } from '../validate/validator.ts';

/** Classes with problems are not kept, because their decorators may run later. */
const known = new WeakMap<Constructor, readonly ToolContract[]>();

/**
 * The contract of a `@Tool` class, validated by Ajv unless another validator is given. Read once for each class. Throws a
 * DefinitionError with all problems of the class.
 */
export function contractOf(Class: Constructor, validator?: CreateValidator): ToolContract {
  const [contract, ...others] = contractsOf(Class, validator);
  if (contract?.binding.kind === 'class' && others.length === 0) return contract;
  throw new DefinitionError([
    { where: Class.name, what: 'has its tools on methods', instead: 'read them with contractsOf(Class)' },
  ]);
}

/** The contracts of a class: one for `@Tool`, one for each `@ToolMethod`. Throws as `contractOf` does. */
export function contractsOf(Class: Constructor, validator?: CreateValidator): readonly ToolContract[] {
  const contracts = known.get(Class) ?? Object.freeze(readContracts(Class, validator));
  known.set(Class, contracts);
  return contracts.map((contract) => withValidator(contract, validator));
}

/** The tool's own validator wins. */
export function withValidator(
  contract: ToolContract,
  validator: CreateValidator = createAjvValidator,
): ToolContract {
  const { validator: own = createAjvValidator } = contract;
  const used = own === createAjvValidator ? validator : own;
  return contract.validator === used ? contract : Object.freeze({ ...contract, validator: used });
}

function readContracts(Class: Constructor, validator: CreateValidator | undefined): readonly ToolContract[] {
  const { tools, problems } = toolsFromClass(Class);
  requireSound(tools, problems, validator);
  return tools.map(({ contract }) => withValidator(contract));
}

/** Throws a DefinitionError with the problems or, if there are none, those of the declared defaults and examples. */
export function requireSound(
  tools: readonly ClassTool[],
  problems: readonly DefinitionProblem[],
  validator?: CreateValidator,
): void {
  // The schema of a class with problems may refuse sound defaults.
  const all =
    problems.length > 0 ? problems : tools.flatMap((tool) => declaredValueProblems(tool, validator));
  if (all.length > 0) throw new DefinitionError(all);
}

/** The declared defaults and examples that the tool itself would refuse. */
function declaredValueProblems(
  { contract, values }: ClassTool,
  createValidator: CreateValidator | undefined,
): readonly DefinitionProblem[] {
  if (values.length === 0) return [];
  const validator = validatorOfExamples(withValidator(contract, createValidator));
  const { root } = validator.views;
  const schemas = values.map(({ pointer }) => {
    const fragment = pointer.split('/').map(encodeURIComponent).join('/');
    return resolveReference(`#${fragment}`, root) ?? {};
  });
  // One schema of all values is compiled faster than one for each.
  const { length } = values;
  const whole = {
    type: 'array',
    prefixItems: schemas,
    items: false,
    minItems: length,
    maxItems: length,
  } as const;
  const isAccepted = validator.acceptsPart(
    whole,
    values.map(({ value }) => value),
  );
  return values.flatMap((declared, index) => {
    const { where, decorator, value } = declared;
    const what = `has ${decorator} with ${JSON.stringify(value)}`;
    const schema = schemas[index] ?? {};
    if (!isAccepted && !validator.acceptsPart(schema, value)) {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      const describe = isObject ? describeShape : describeSchema;
      const instead = `write ${describe(validator.views, schema)}`;
      return [{ where, what: `${what}, which its schema refuses`, instead }];
    }
    const [failure] = declared.check();
    if (failure === undefined) return [];
    const instead = 'write a value that passes';
    return [{ where, what: `${what}, which it refuses (${failure.message})`, instead }];
  });
}

/** Models see examples, so authors leave secrets out; required secrets are not demanded of examples. */
function validatorOfExamples(contract: ToolContract): ContractValidator {
  const inputSchema = withoutRequiredSecrets(contract.inputSchema);
  const isSame = JSON.stringify(inputSchema) === JSON.stringify(contract.inputSchema);
  return validatorOf(isSame ? contract : { ...contract, inputSchema });
}

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
