// Calls of text tools whose API sends a text without JSON.
import type { ToolCall } from '../interpret/tool-call.ts';
import { plainJson } from '../json/parse.ts';
import { isJsonObject } from '../json/value.ts';
import type { ToolSet } from '../registry/tool-set.ts';
import { textEndOf } from '../text/decode-arguments.ts';
import type { RuleId } from '../tool/rule-choice.ts';
import type { TextInput } from '../tool/tool-contract.ts';
import { textIn } from './tool-turn.ts';

/** The text of a tool that `textTool` made; undefined for any other name. */
export const textOf = (tools: ToolSet, name: string): TextInput | undefined =>
  tools.contracts().find((contract) => contract.name === name)?.text;

/** Repairs by which a text is the JSON of the call instead of the argument alone. */
const envelopeRules: ReadonlySet<string> = new Set<RuleId>(['unwrap_envelope', 'rename_key']);

/**
 * The call with the arguments of a function. A model that writes the JSON of a function call has
 * wrapped the text in it, as in any envelope. Other JSON is the text itself.
 */
export function callOfText(tools: ToolSet, call: ToolCall, { argument }: TextInput): ToolCall {
  const text = textIn(call.arguments);
  // A text has no end of its own, so a cut one is handed on as JSON without its end.
  if (mayBeCut(call.finishReason))
    return { ...call, arguments: JSON.stringify({ [argument]: text }).slice(0, -2) };
  return { ...call, arguments: isEnvelope(tools, call, text) ? text : { [argument]: text } };
}

/** A server that gives no reason has sent the whole answer. */
const mayBeCut = (finishReason: string | undefined): boolean =>
  finishReason !== undefined && textEndOf(finishReason) !== 'normal';

function isEnvelope(tools: ToolSet, call: ToolCall, text: string): boolean {
  if (!isJsonObject(plainJson(text))) return false;
  const interpretedCall = tools.interpret({ ...call, arguments: text }, { counted: false });
  return (
    interpretedCall.status === 'accepted' &&
    interpretedCall.interpretation.repairs.every(({ rule }) => envelopeRules.has(rule))
  );
}
