// Which judge does a contract have? Made when it is first asked for; a schema that nobody can judge by is told then.
import { endlessReference } from '../contract/judged-schema/endless-references.ts';
import { viewsOf } from '../contract/judged-schema/judged-schema.ts';
import type { ToolContract } from '../contract/tool-contract.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { Judge } from './judge.ts';

const judges = new WeakMap<ToolContract, Judge>();

/** The contract's judge; made once, kept as long as the contract. A DefinitionError for a schema that is none. */
export function judgeOf(contract: ToolContract): Judge {
  let judge = judges.get(contract);
  if (judge === undefined) {
    judge = compiledJudge(contract);
    judges.set(contract, judge);
  }
  return judge;
}

function compiledJudge(contract: ToolContract): Judge {
  const endless = endlessReference(viewsOf(contract).root);
  if (endless !== undefined) throw schemaError(contract, `${endless} leads back to itself`);
  try {
    return new Judge(contract);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw schemaError(contract, said, error instanceof EvalError ? otherJudge : undefined);
  }
}

/** Where code must not be made from text. */
const otherJudge = "give judge: interpretingJudge, from 'toolmend/interpreting-judge'";

const schemaError = (
  { name }: ToolContract,
  said: string,
  instead = 'write valid JSON Schema 2020-12',
): DefinitionError =>
  new DefinitionError([
    {
      where: name,
      what: `has an input schema that can't be compiled (${said})`,
      instead,
    },
  ]);
