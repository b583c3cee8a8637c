// Is what a tool returned what it has declared? Judged as arguments are; nothing is repaired.
import { contractFromSchema } from '../../contract/contract-from-schema.ts';
import type { ToolContract } from '../../contract/tool-contract.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import { ToolmendError } from '../../errors/toolmend-error.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { Judge } from '../../validate/judge.ts';
import { judgeOf } from '../../validate/judge-of.ts';

const judges = new WeakMap<ToolContract, Judge>();

/** undefined where nothing is declared. Throws a DefinitionError for a schema that nobody can judge by. */
export function outputJudgeOf(contract: ToolContract): Judge | undefined {
  const { outputSchema } = contract.execution ?? {};
  if (outputSchema === undefined) return undefined;
  let judge = judges.get(contract);
  if (judge === undefined) {
    judge = judgeOfOutput(contract, outputSchema);
    judges.set(contract, judge);
  }
  return judge;
}

/** Throws a ToolmendError that names the places. */
export function checkOutput(contract: ToolContract, structured: JsonValue | undefined): void {
  const judge = outputJudgeOf(contract);
  if (judge === undefined || (structured !== undefined && judge.accepts(structured))) return;
  const failures = structured === undefined ? [] : judge.failures(structured);
  const places = failures
    .slice(0, mostPlaces)
    .map(({ keyword, path }) => `${keyword} at ${path || 'the root'}`);
  const what =
    places.length === 0
      ? 'no structured value'
      : `what its outputSchema does not allow (${places.join(', ')})`;
  throw new ToolmendError('output-schema', `${contract.name} returned ${what}`);
}

const mostPlaces = 8;

function judgeOfOutput({ name, judge }: ToolContract, outputSchema: SchemaObject): Judge {
  const strict = { paths: 'off', spellings: false } as const;
  const described = { name, inputSchema: outputSchema, strict, ...(judge === undefined ? {} : { judge }) };
  try {
    return judgeOf(contractFromSchema(described));
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    throw new DefinitionError(
      error.complaints.map((complaint) => ({ ...complaint, where: `${name}.outputSchema` })),
    );
  }
}
