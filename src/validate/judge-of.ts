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
  const { views, flaws, unknownKeywords, uncheckedPatterns } = judgedFormOf(contract);
  const [flaw] = flaws;
  if (flaw !== undefined) return unjudging(contract, flaw);
  const warnings = [
    ...unlooked(contract, { code: 'unsafe_pattern', said: endlessPatterns, parts: uncheckedPatterns }),
    ...unlooked(contract, { code: 'unknown_keywords', said: unknownWords, parts: unknownKeywords }),
  ];
  try {
    return new Judge(contract, { views, warnings });
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

/** Parts of a schema that nobody judges by, in one sentence; no warning if there are none. */
function unlooked({ name: tool }: ToolContract, { code, said, parts }: Unlooked): readonly SchemaWarning[] {
  if (parts.length === 0) return [];
  const shown = parts
    .slice(0, mostShown)
    .map((part) => quote(part))
    .join(', ');
  const more = parts.length > mostShown ? ` and ${parts.length - mostShown} more` : '';
  return [{ tool, code, message: `The input schema of ${tool} has ${said}: ${shown}${more}.` }];
}

interface Unlooked {
  readonly code: SchemaWarning['code'];
  readonly said: string;
  readonly parts: readonly string[];
}

const endlessPatterns = 'patterns that nobody looks at, because they could take time without end';
const unknownWords = 'keywords that nobody judges by';
const mostShown = 20;

/** Where code must not be made from text. */
const otherJudge = "give judge: interpretingJudge, from 'toolmend/interpreting-judge'";

const schemaError = (
  { name }: ToolContract,
  flaw: string,
  instead = 'write valid JSON Schema 2020-12',
): DefinitionError =>
  new DefinitionError([{ where: name, what: `has an input schema that ${flaw}`, instead }]);
