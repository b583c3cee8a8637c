// What does a tool's Standard Schema say of a value? It is interpreted as a call of the tool is.
import { viewsOf } from '../../contract/judged-schema/judged-schema.ts';
import type { ToolContract } from '../../contract/tool-contract.ts';
import type { DialectName } from '../../dialects/dialect-table.ts';
import { applyDefaults } from '../../execute/apply-defaults.ts';
import { factsOf } from '../../interpret/contract-facts.ts';
import { interpret } from '../../interpret/interpret.ts';
import type { Interpretation } from '../../interpret/interpretation.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { schemaIssues } from './schema-issues.ts';
import type { ValidatedArguments } from './tool-schema.ts';

/** What whoever made the schema wants to know. */
export type TellInterpretation = (interpretation: Interpretation) => unknown;

/** Throws a DefinitionError for a schema that nobody can judge by, before it is asked. */
export function argumentValidator(
  contract: ToolContract,
  dialect: DialectName,
  told: TellInterpretation,
): (value: unknown) => ValidatedArguments<JsonObject> {
  factsOf(contract);
  return (value) => {
    // A value that is text is no argument text: it is a root of the wrong type.
    const sent = typeof value === 'string' ? JSON.stringify(value) : value;
    const interpretation = interpret(contract, { arguments: sent }, { dialect });
    told(interpretation);
    return interpretation.outcome === 'rejected'
      ? { issues: schemaIssues(contract, interpretation, { sent: value, dialect }) }
      : { value: applyDefaults(viewsOf(contract), interpretation.value) };
  };
}
