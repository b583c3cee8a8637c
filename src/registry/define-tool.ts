// How does a tool without a class become a contract? From a JSON Schema and a function.
import { complaintBook } from '../contract/complaint-book.ts';
import { contractFromSchema } from '../contract/contract-from-schema.ts';
import type { ToolContract } from '../contract/tool-contract.ts';
import { readToolFacts } from '../contract/said-of-tool/tool-facts.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { functionKind, listKind, objectKind, optionComplaints } from '../errors/option-complaints.ts';
import type { ToolContext } from '../execute/tool-context.ts';
import type { JsonObject } from '../json/json-value.ts';
import { collectComplaints } from './registration/collect-complaints.ts';
import type { ToolDefinition } from './registration/tool-definition.ts';

/**
 * A frozen contract for `register`. Throws a DefinitionError with every complaint about the definition. The schema is
 * compiled later, when the tool is registered or, without a registry, first called: what can't be compiled is told there.
 */
export function defineTool<Values extends object = JsonObject, Meta extends object = ToolContext['meta']>(
  definition: ToolDefinition<Values, Meta>,
): ToolContract;
export function defineTool(definition: ToolDefinition): ToolContract {
  const book = complaintBook();
  const facts = readToolFacts(definition, definition.name, book.at(definition.name), book);
  if (typeof definition.execute !== 'function') {
    book.at(definition.name)('has no execute', 'write execute(values, context) { … }');
  }
  const misfits = optionComplaints(definition.name, definition, optionKinds);
  const complaints = [...book.complaints, ...misfits];
  // What is made of the options would break on one of another kind.
  if (misfits.length > 0) throw new DefinitionError(complaints);
  const { inputSchema, judge, onUnusableSchema, strict = {}, hints = [] } = definition;
  const binding = Object.freeze({
    kind: 'function' as const,
    execute: (values: JsonObject, context: ToolContext) => definition.execute(values, context),
  });
  const contract = collectComplaints(
    () =>
      contractFromSchema({
        ...facts,
        inputSchema,
        strict,
        hints,
        binding,
        ...(judge === undefined ? {} : { judge }),
        ...(onUnusableSchema === undefined ? {} : { onUnusableSchema }),
      }),
    complaints,
  );
  if (contract === undefined || complaints.length > 0) throw new DefinitionError(complaints);
  return contract;
}

const optionKinds = {
  hints: listKind((hint) => typeof hint === 'string', 'write a list of sentences'),
  strict: objectKind('write an object of paths and spellings'),
  judge: functionKind('write a function that makes a judge of a schema, as interpretingJudge is one'),
};
