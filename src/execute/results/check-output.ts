// Is what a tool returned what it has declared? Judged as arguments are; nothing is repaired.
import { contractFromSchema } from '../../contract/contract-from-schema.ts';
import { viewsOf } from '../../contract/judged-schema/judged-schema.ts';
import type { SchemaViews } from '../../contract/schema-view.ts';
import type { ToolContract } from '../../contract/tool-contract.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import { ToolmendError } from '../../errors/toolmend-error.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import type { Judge } from '../../validate/judge.ts';
import { judgeOf } from '../../validate/judge-of.ts';

/** What a tool's results are judged by. */
interface Output {
  readonly judge: Judge;
  readonly views: SchemaViews;
}

const outputs = new WeakMap<ToolContract, Output>();

/** undefined where nothing is declared. Throws a DefinitionError for a schema that nobody can judge by. */
export function outputOf(contract: ToolContract): Output | undefined {
  const { outputSchema: shown, annotatedOutputSchema: outputSchema = shown } = contract.execution ?? {};
  if (outputSchema === undefined) return undefined;
  let output = outputs.get(contract);
  if (output === undefined) {
    output = readOutput(contract, outputSchema);
    outputs.set(contract, output);
  }
  return output;
}

/** Throws a ToolmendError that names the places. */
export function checkOutput(contract: ToolContract, structured: JsonValue | undefined): void {
  const output = outputOf(contract);
  if (output === undefined) return;
  const places = failingPlaces(output, contract, structured);
  if (places.length === 0) return;
  const shown = places.slice(0, mostPlaces).map(({ check, path }) => `${check} at ${path || 'the root'}`);
  const what =
    structured === undefined
      ? 'no structured value'
      : `what its outputSchema does not allow (${shown.join(', ')})`;
  throw new ToolmendError('output-schema', `${contract.name} returned ${what}`);
}

const mostPlaces = 8;

/** By keyword, and by the name of what an author has written; no value is in it. */
function failingPlaces(
  { judge }: Output,
  { execution }: ToolContract,
  structured: JsonValue | undefined,
): readonly { readonly check: string; readonly path: string }[] {
  if (structured === undefined) return [{ check: 'type', path: '' }];
  if (!judge.accepts(structured))
    return judge.failures(structured).map(({ keyword, path }) => ({ check: keyword, path }));
  return isJsonObject(structured) ? (execution?.outputCheck?.(structured) ?? []) : [];
}

function readOutput({ name, judge }: ToolContract, outputSchema: SchemaObject): Output {
  const strict = { paths: 'off', spellings: false } as const;
  const described = { name, inputSchema: outputSchema, strict, ...(judge === undefined ? {} : { judge }) };
  try {
    const judged = contractFromSchema(described);
    return { judge: judgeOf(judged), views: viewsOf(judged) };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    throw new DefinitionError(
      error.complaints.map((complaint) => ({ ...complaint, where: `${name}.outputSchema` })),
    );
  }
}
