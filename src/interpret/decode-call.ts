// What is known of a call when its arguments are decoded? How its text ended, and whether the tool needs any.
import type { SchemaView } from '../contract/schema-view.ts';
import {
  decodeArguments,
  type Decoded,
  type DecodeFacts,
  defaultDecodeLimits,
} from '../decode/decode-arguments.ts';
import { textEndOf } from '../decode/text-end.ts';
import type { Judge } from '../validate/judge.ts';
import type { ToolCall } from './tool-call.ts';

/** The arguments of a call as one object, or why there is none. */
export const decodeCall = (
  { contract, views }: Judge,
  { arguments: sent, finishReason }: Pick<ToolCall, 'arguments' | 'finishReason'>,
  precision: DecodeFacts['precision'],
): Decoded =>
  decodeArguments(sent, {
    end: textEndOf(finishReason),
    declared: declaredArguments(views.of(views.root)),
    limits: defaultDecodeLimits,
    precision,
    toolName: contract.isUnnamed === true ? undefined : contract.name,
  });

const declaredArguments = ({ properties, required }: SchemaView): DecodeFacts['declared'] =>
  required.size > 0 ? 'required' : properties.size > 0 ? 'optional' : 'none';
