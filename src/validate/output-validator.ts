import { DefinitionError } from '../errors/definition-error.ts';
import { defined, memoize } from '../json/value.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { type ContractValidator, validatorOf } from './validator.ts';

/**
 * The validator of a tool's results; undefined if the tool declares no output schema. Throws a DefinitionError for an
 * unusable schema.
 */
export const outputValidatorOf = memoize(
  ({ name, validator, execution }: ToolContract): ContractValidator | undefined => {
    const { outputSchema, annotatedOutputSchema: inputSchema = outputSchema } = execution ?? {};
    if (inputSchema === undefined) return undefined;
    const strict = { paths: 'off', spellings: false } as const;
    const definition = { name, inputSchema, strict, ...defined({ validator }) };
    try {
      return validatorOf(contractFromSchema(definition));
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      const where = `${name}.outputSchema`;
      throw new DefinitionError(error.problems.map((problem) => ({ ...problem, where })));
    }
  },
);
