import type { ToolContract } from '../tool/tool-contract.ts';
import { validatorOf } from '../validate/validator.ts';
import { notExecuted } from './call-messages.ts';
import { correctionOf } from './correction.ts';

/** A call that stayed in the text of an answer. */
interface CallInAnswer {
  readonly name: string;
  readonly notation: string | undefined;
  /** What the notation has for the arguments. */
  readonly argumentForm: 'json' | 'tags' | 'python' | 'braces';
  readonly reason: 'unreadable' | 'refused' | 'uncertain';
  /** The text ends before the call does. */
  readonly isOpen: boolean;
}

/** What the model reads of a call that stayed text. `contract`: absent if only its name is known. */
export function leftCallMessage(call: CallInAnswer, contract: ToolContract | undefined): string {
  const correction = contract && correctionOf(validatorOf(contract), [], undefined);
  const expectedForms = correction === undefined ? [] : [`Expected: ${correction.shape}`];
  const example = correction?.example ?? '{…}';
  const json = `{"name":${JSON.stringify(call.name)},"arguments":${example}}`;
  return notExecuted(
    call.name,
    [`- ${problemOf(call)}`, ...expectedForms, `Send the call alone, as JSON: ${json}`].join('\n'),
  );
}

function problemOf({ notation, argumentForm, reason, isOpen }: CallInAnswer): string {
  const markup = notation === undefined ? 'markup' : `markup (${notation})`;
  switch (reason) {
    case 'refused':
      return 'The tool does not take the arguments of the call.';
    case 'uncertain':
      return 'Where the call stands, it may be an example or a part of the text.';
    default:
      return isOpen
        ? `The ${markup} ends before the call is closed.`
        : `The ${markup} of the call cannot be read in exactly one way: ${faults[argumentForm]}.`;
  }
}

/** What is wrong in markup that isn't cut, by what it has for the arguments. */
const faults = {
  json: 'its JSON has faults',
  tags: 'its tags don’t match, or a parameter comes twice',
  python: 'it is not a call with literals of Python',
  braces: 'its braces have faults',
} as const;
