import { DefinitionError } from '../errors/definition-error.ts';
import type { JsonObject } from '../json/value.ts';
import { notationForms } from '../repair/notations/notation-forms.ts';

/** The ids of the notations in which models write calls, as in docs/reference/notations.md. */
export const notations: readonly string[] = Object.freeze([...notationForms.keys()]);

/**
 * A call as models write it in a notation, by the chat template of its family. Undefined if the notation can't express the call,
 * as a string with the closing tag of its own parameter in it. Throws a DefinitionError for an unknown notation.
 */
export function writeCall(
  notation: string,
  call: { readonly name: string; readonly arguments: JsonObject },
): string | undefined {
  const found = notationForms.get(notation);
  if (found !== undefined) return found.write(call);
  throw new DefinitionError([
    {
      where: 'writeCall',
      what: `does not know the notation ${notation}`,
      instead: `choose one of ${notations.join(', ')}`,
    },
  ]);
}
