// What of a result may stand where others than the model read it? Its text, but no value that its schema calls secret.
import { holdsSecret, maskSecrets } from '../../contract/secret-places.ts';
import type { ToolContract } from '../../contract/tool-contract.ts';
import { outputOf } from './check-output.ts';
import type { ResultContent } from './result-content.ts';

const mask = '(secret)';

/** undefined where nobody knows what in it is secret: a part of a text, or no object at all. */
export function resultWithoutSecrets(
  contract: ToolContract,
  { text, structured }: ResultContent,
): string | undefined {
  const views = outputOf(contract)?.views;
  if (views === undefined || !holdsSecret(views, views.root)) return text;
  return structured === undefined
    ? undefined
    : JSON.stringify(maskSecrets(views, views.root, structured, mask));
}
