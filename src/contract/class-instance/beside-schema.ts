// What does a class say of its arguments that its schema doesn't: checks, and sentences for who breaks the schema?
import type { ArgumentClass } from '../../metadata/declared-type.ts';
import type { ClassModels } from '../class-model/class-model.ts';
import type { ToolContract } from '../tool-contract.ts';
import { authorSentences } from './author-sentences.ts';
import { classCheck } from './class-check.ts';

/** What there is nothing of is absent. */
export function besideSchema(
  Root: ArgumentClass,
  models: ClassModels,
): Pick<ToolContract, 'check' | 'sentences'> {
  const check = classCheck(Root, models);
  const sentences = authorSentences(Root, models);
  return {
    ...(check === undefined ? {} : { check }),
    ...(sentences === undefined ? {} : { sentences }),
  };
}
