import { quote } from '../../json/preview.ts';
import { jsonTypeOf } from '../../json/value.ts';
import { nounOf } from '../../messages/describe-schema.ts';
import { type WholeCall, isSameName, readWholeCall } from '../../notations/read-notation.ts';
import { type ReadCall, textsOf } from '../../notations/notation.ts';
import {
  type RefusedText,
  type TextContext,
  type TextRule,
  readAgain,
  readObject,
  refuseText,
  skip,
} from '../text-rule.ts';

/**
 * Models send one whole call in a [notation of the models’ own](notations.md).
 * Becomes its arguments; raw text stays as it is where a string is declared, and the value rules
 * read the rest.
 * Not when: two calls; another tool’s name; a parameter twice, or undeclared if the tool declares
 * its own; text between parameters; a parameter’s tag inside a value; raw text that is JSON where
 * both a string and a value of that type are declared; a parameter that isn’t closed; a call that
 * isn’t closed, unless the finish reason is known and normal.
 */
export const callNotation: TextRule = {
  id: 'call_notation',
  keeps: 'lossless',
  readsToolName: true,
  propose(context) {
    const { text, toolName, isDeclared } = context;
    const isTool = (name: string): boolean => toolName !== undefined && isSameName(name, toolName);
    const read = readWholeCall(text, { isTool, isDeclared });
    if (read.kind === 'skip') return skip;
    if (read.kind !== 'call') return notOneCall(read.kind);
    const { call } = read;
    if (toolName !== undefined && call.name !== undefined && !isTool(call.name)) return otherTool;
    if (call.state === 'open' && context.end !== 'normal')
      return refuseText('truncated', { advice: 'close every tag' });
    const undeclared = undeclaredKey(call, isDeclared);
    if (undeclared !== undefined)
      return refuseText('not_json', { advice: `${undeclared} is not a parameter` });
    if (typeof call.arguments === 'string') return readAgain(call.arguments);
    for (const [key, raw, isString] of call.arguments) {
      const other = isString ? undefined : context.otherMeaning(key, raw);
      if (other === undefined) continue;
      const type = jsonTypeOf(other);
      const noun = nounOf(type === 'integer' ? 'number' : type);
      return refuseText('ambiguous', {
        advice: `write a JSON object, because ${quote(key)} may be a string or ${noun}`,
      });
    }
    const object = readObject(textsOf(call.arguments));
    return call.state === 'open' ? { ...object, isLossy: true } : object;
  },
};

/** Why markup is not one whole call, and what to send. */
export const notOneCall = (why: Exclude<WholeCall['kind'], 'skip' | 'call'>): RefusedText =>
  refuseText('not_json', { advice: `${whyNoCall[why]}, as JSON` });

const whyNoCall = {
  several: "they hold more than one call; send one call's arguments",
  open: 'they are a call in markup whose end is missing; send the arguments alone',
  refused:
    'they are not one whole call in markup, with each parameter once and nothing between; send the arguments alone',
} as const;

export const noWholeCall: RefusedText = notOneCall('refused');
export const otherTool: RefusedText = refuseText('not_json', { advice: 'they call another tool' });

/**
 * A key that the tool doesn't declare may be part of a value, so the text may have been split in
 * the wrong place.
 */
function undeclaredKey(call: ReadCall, isDeclared: TextContext['isDeclared']): string | undefined {
  if (isDeclared === undefined) return undefined;
  const { arguments: sent, keywords = [] } = call;
  const keys = typeof sent === 'string' ? keywords : sent.map(([key]) => key);
  return keys.find((key) => !isDeclared(key));
}
