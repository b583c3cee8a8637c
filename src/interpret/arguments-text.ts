// With every number as the model wrote it.
import { exactJson } from '../json/parse.ts';
import type { Accepted, Interpretation } from './interpretation.ts';
import type { OwnArguments } from './provider-form.ts';
import type { ToolCall } from './tool-call.ts';

/** JSON text of the arguments of an accepted call: its exact `text`, else that of its value. */
export const argumentsText = ({ text, value }: Accepted): string => text ?? JSON.stringify(value);

/** Text that nothing was done to is passed on as it came. */
export function withText(
  result: Interpretation,
  { value, numbers, steps, repeatedKeys, fromShown }: OwnArguments,
  { arguments: sent }: Pick<ToolCall, 'arguments'>,
): Interpretation {
  if (result.status === 'rejected') return result;
  const isShown = fromShown?.differs === true;
  const isAsSent = result.value === value && !isShown && steps.length === 0 && repeatedKeys.length === 0;
  const text = isAsSent && typeof sent === 'string' ? sent : exactJson(result.value, numbers, 0);
  return { ...result, text };
}
