// Which judge does a contract have? Made when it is first asked for; a schema that nobody can judge by is told then.
import { judgedFormOf } from '../contract/judged-schema/judged-schema.ts';
import { SchemaViews } from '../contract/schema-view.ts';
import type { ToolContract } from '../contract/tool-contract.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { quote } from '../issues/excerpt.ts';
import type { SchemaWarning } from '../telemetry/schema-warning.ts';
import { Judge } from './judge.ts';

const judges = new WeakMap<ToolContract, Judge>();

/** The contract's judge; made once, kept as long as the contract. A DefinitionError for a schema that is none. */
export function judgeOf(contract: ToolContract): Judge {
  let judge = judges.get(contract);
  if (judge === undefined) {
    judge = judgeFor(contract);
    judges.set(contract, judge);
  }
  return judge;
}

function judgeFor(contract: ToolContract): Judge {
  const { views, flaws, unknownKeywords } = judgedFormOf(contract);
  const [flaw] = flaws;
  if (flaw !== undefined) return unjudging(contract, flaw);
  try {
    return new Judge(contract, { views, warnings: keywordWarnings(contract, unknownKeywords) });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    if (error instanceof EvalError) throw schemaError(contract, `can't be compiled (${said})`, otherJudge);
    return unjudging(contract, `can't be compiled (${said})`);
  }
}

/** Accepts every object, where that is what the caller chose for a schema that nobody can judge by. */
function unjudging(contract: ToolContract, flaw: string): Judge {
  const { name: tool, onUnusableSchema } = contract;
  if (onUnusableSchema !== 'warn') throw schemaError(contract, flaw);
  const message = `The input schema of ${tool} ${flaw}: its calls are passed on as they come, not judged and not repaired.`;
  const views = new SchemaViews({ type: 'object' });
  const warnings = [{ tool, code: 'unusable_schema', message } as const];
  return new Judge(contract, { views, warnings, isUnjudged: true });
}

function keywordWarnings({ name: tool }: ToolContract, unknown: readonly string[]): readonly SchemaWarning[] {
  if (unknown.length === 0) return [];
  const shown = unknown
    .slice(0, 20)
    .map((keyword) => quote(keyword))
    .join(', ');
  const more = unknown.length > 20 ? ` and ${unknown.length - 20} more` : '';
  return [
    {
      tool,
      code: 'unknown_keywords',
      message: `The input schema of ${tool} has keywords that nobody judges by: ${shown}${more}.`,
    },
  ];
}

/** Where code must not be made from text. */
const otherJudge = "give judge: interpretingJudge, from 'toolmend/interpreting-judge'";

const schemaError = (
  { name }: ToolContract,
  flaw: string,
  instead = 'write valid JSON Schema 2020-12',
): DefinitionError =>
  new DefinitionError([{ where: name, what: `has an input schema that ${flaw}`, instead }]);
