import { quote } from '../../json/preview.ts';
import { jsonTypeOf } from '../../json/value.ts';
import { nounOf } from '../../messages/describe-schema.ts';
import { type ReadCall, argumentsInEnvelope, valuesOf } from '../../notations/notation.ts';
import {
  type WholeCall,
  type WholeReading,
  isSameName,
  readWholeCall,
} from '../../notations/read-notation.ts';
import * as edit from '../readings/edits.ts';
import {
  type RefusedText,
  type TextContext,
  type TextProposal,
  type TextRule,
  readAgain,
  readObject,
  readingOf,
  refuseText,
  skip,
} from '../text-rule.ts';

/**
 * Models send one whole call in a [notation of the models’ own](notations.md).
 * Becomes its arguments; raw text stays as it is where a string is declared, and the value rules
 * read the rest.
 * Not when: two calls; another tool’s name; a parameter twice, or undeclared if the tool declares
 * its own; text between parameters; a parameter’s tag inside a value; raw text that is JSON where
 * both a string and a value of that type are declared; several ways with the fewest edits; a call
 * that isn’t closed, unless the finish reason is known and normal.
 */
export const callNotation: TextRule = {
  id: 'call_notation',
  keeps: 'lossless',
  readsToolName: true,
  propose(context) {
    const { text, toolName, isDeclared, rawText } = context;
    const isTool = (name: string): boolean => toolName !== undefined && isSameName(name, toolName);
    const read = readWholeCall(text, { isTool, isDeclared, isList: rawText.isList });
    if (read.kind === 'skip') return skip;
    if (read.kind !== 'readings') return notOneCall(read.kind);
    const structure = read.readings.find((reading) => reading.isStructure);
    if (structure !== undefined) {
      const proposal = proposeCall(structure.call, context);
      // What the model thinks may be that it won't.
      const isLossy = read.hasThought && (proposal.kind === 'text' || proposal.kind === 'object');
      return isLossy ? { ...proposal, isLossy } : proposal;
    }
    const intendedReadings = read.readings.filter(
      ({ call }) => undeclaredKey(call, context) === undefined && call.state === 'closed',
    );
    const cheapest = intendedReadings.filter(({ cost }) => cost === intendedReadings[0]?.cost);
    return cheapest.every(({ isWitness }) => isWitness)
      ? notOneCall('refused')
      : proposeReadings(cheapest, context);
  },
};

/** The call whose tags are all where they belong. */
function proposeCall(call: ReadCall, context: TextContext): TextProposal {
  const { toolName, isDeclared } = context;
  if (isOtherTool(call, toolName)) return otherTool;
  if (call.state === 'open' && context.end !== 'normal')
    return refuseText('truncated', { advice: 'close every tag' });
  const innerArguments =
    typeof call.arguments === 'string'
      ? undefined
      : argumentsInEnvelope(call.arguments, isDeclared);
  if (innerArguments !== undefined) return readObject(innerArguments);
  const undeclared = undeclaredKey(call, context);
  if (undeclared !== undefined)
    return refuseText('not_json', { advice: `${undeclared} is not a parameter` });
  if (typeof call.arguments === 'string') return readAgain(call.arguments);
  for (const { key, raw, type, token } of call.arguments) {
    const isUntyped = type === undefined || type === 'element';
    const other = isUntyped ? context.otherMeaning(key, raw) : undefined;
    if (other === undefined || context.rawText.valueOf(key, raw, token) !== undefined) continue;
    const otherType = jsonTypeOf(other);
    const noun = nounOf(otherType === 'integer' ? 'number' : otherType);
    return refuseText('ambiguous', {
      advice: `write a JSON object, because ${quote(key)} may be a string or ${noun}`,
    });
  }
  const values = valuesOf(call.arguments, context.rawText);
  if (values === undefined) return noWholeCall;
  const object = readObject(values);
  return call.state === 'open' ? { ...object, isLossy: true } : object;
}

/** The ways to read markup with a garbled tag, or with tags in values. */
function proposeReadings(readings: readonly WholeReading[], context: TextContext): TextProposal {
  const calls = readings.filter(({ call }) => !isOtherTool(call, context.toolName));
  if (calls.length === 0) return otherTool;
  return {
    kind: 'readings',
    readings: calls.flatMap(({ call, cost, isWitness }) => {
      if (typeof call.arguments === 'string') return [];
      const values = valuesOf(call.arguments, context.rawText);
      if (values === undefined) return [];
      const { value, numbers, repeatedKeys } = readObject(values);
      const read = { kind: 'read', value, numbers, repeatedKeys, quotedNumbers: [] } as const;
      return [
        { ...readingOf(read), cost, isWitness, edits: cost === 0 ? edit.none : edit.content },
      ];
    }),
  };
}

const isOtherTool = ({ name }: ReadCall, toolName: string | undefined): boolean =>
  toolName !== undefined && name !== undefined && !isSameName(name, toolName);

/** Why markup is not one whole call, and what to send. */
export const notOneCall = (why: Exclude<WholeCall['kind'], 'skip' | 'readings'>): RefusedText =>
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
function undeclaredKey(call: ReadCall, { isDeclared, rawText }: TextContext): string | undefined {
  if (isDeclared === undefined) return undefined;
  const { arguments: sentArguments, keywords = [] } = call;
  if (typeof sentArguments === 'string') return keywords.find((key) => !isDeclared(key));
  return sentArguments.find(
    ({ key, raw, type }) =>
      !isDeclared(key) &&
      (type !== 'element' || rawText.listElementOf(key, raw, 'once') === undefined),
  )?.key;
}
