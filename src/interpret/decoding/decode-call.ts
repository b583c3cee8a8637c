// What is known of a call when its arguments are decoded? How its text ended, and whether the tool needs any.
import {
  decodeArguments,
  type Decoded,
  type DecodeFacts,
  defaultDecodeLimits,
} from '../../decode/decode-arguments.ts';
import { textEndOf } from '../../decode/text-end.ts';
import type { ContractFacts } from '../contract-facts.ts';
import type { ToolCall } from '../tool-call.ts';

/** The arguments of a call as one object, or why there is none. */
export const decodeCall = (
  { declared, toolName }: ContractFacts,
  { arguments: sent, finishReason }: Pick<ToolCall, 'arguments' | 'finishReason'>,
  precision: DecodeFacts['precision'],
): Decoded =>
  decodeArguments(sent, {
    end: textEndOf(finishReason),
    declared,
    limits: defaultDecodeLimits,
    precision,
    toolName,
  });
