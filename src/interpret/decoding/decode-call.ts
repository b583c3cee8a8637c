// What is known of a call when its arguments are decoded? How its text ended, and what its contract says of them.
import { decodeArguments, type Decoded } from '../../decode/decode-arguments.ts';
import { textEndOf } from '../../decode/text-end.ts';
import type { Precision } from '../../json/reader/parse-json.ts';
import type { ContractFacts } from '../contract-facts.ts';
import type { ToolCall } from '../tool-call.ts';

/** The arguments of a call as one object, or why there is none. */
export const decodeCall = (
  { decode }: ContractFacts,
  { arguments: sent, finishReason }: Pick<ToolCall, 'arguments' | 'finishReason'>,
  precision: Precision,
): Decoded => decodeArguments(sent, decode[textEndOf(finishReason)], precision);
