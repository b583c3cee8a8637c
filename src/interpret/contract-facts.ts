// What does every call ask of its contract? Found out once.
import { holdsSecret } from '../contract/secret-places.ts';
import type { ToolContract } from '../contract/tool-contract.ts';
import { type DecodeFacts, defaultDecodeLimits } from '../decode/decode-arguments.ts';
import type { TextEnd } from '../decode/text-rule.ts';
import { hasPairs } from '../repair/fill-pairs.ts';
import type { Judge } from '../validate/judge.ts';
import { judgeOf } from '../validate/judge-of.ts';

export interface ContractFacts {
  readonly judge: Judge;
  /** What decoding must know, by how the text of a call ended. */
  readonly decode: Readonly<Record<TextEnd, DecodeFacts>>;
  /** No argument is taken out, and nothing is added or checked beyond schema and strict readings. */
  readonly takesAsSent: boolean;
}

const known = new WeakMap<ToolContract, ContractFacts>();

/** Kept as long as the contract. A DefinitionError for a schema that is none. */
export function factsOf(contract: ToolContract): ContractFacts {
  let facts = known.get(contract);
  if (facts === undefined) {
    facts = findFacts(contract);
    known.set(contract, facts);
  }
  return facts;
}

function findFacts(contract: ToolContract): ContractFacts {
  const judge = judgeOf(contract);
  const decodeAt = (end: TextEnd): DecodeFacts => ({
    end,
    declared: declaredIn(judge),
    limits: defaultDecodeLimits,
    excerpts: holdsSecret(judge.views, judge.views.root) ? 'hidden' : 'shown',
    toolName: contract.isUnnamed === true ? undefined : contract.name,
  });
  return {
    judge,
    decode: { normal: decodeAt('normal'), cut: decodeAt('cut'), unknown: decodeAt('unknown') },
    takesAsSent:
      !judge.isUnjudged &&
      contract.meta.length === 0 &&
      contract.contextFields.length === 0 &&
      contract.check === undefined &&
      !hasPairs(judge.views) &&
      !holdsSecret(judge.views, judge.views.root),
  };
}

/** Whether text could stand for no arguments at all. */
function declaredIn({ views }: Judge): DecodeFacts['declared'] {
  const { properties, required } = views.of(views.root);
  return required.size > 0 ? 'required' : properties.size > 0 ? 'optional' : 'none';
}
