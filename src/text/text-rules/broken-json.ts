import { parseJson } from '../../json/parse.ts';
import { isJsonArray, isJsonObject, maxTextDepth } from '../../json/value.ts';
import type { TextReading } from '../readings/build-reading.ts';
import { type BrokenText, readBrokenText } from '../readings/read-broken-text.ts';
import {
  type TextContext,
  type TextProposal,
  type TextRule,
  refuseText,
  skip,
} from '../text-rule.ts';

/**
 * Models send JSON with a comma or a colon missing, a closer wrong, missing or surplus, quotes
 * inside a string, a path without quotes, a list without brackets, or an object in two braces.
 * Becomes the value of the one reading that passes; the model gets a note if quotes became content.
 * Not when: several readings pass with different values; a bracket or brace is surplus or has lost
 * its partner, and both pass (`[}]`); a closer is missing and the finish reason is unknown or the
 * output limit, or a value has to be wrapped, dropped or filled; what is missing may have been
 * written on the wrong side of a quote (`{"path":"a}"`); a string with quotes in it would hold another
 * member (`"a"; b: "c"`); the end lies inside a string; more than 256 KB of text; see
 * [how broken JSON is read](../internals/readings.md).
 */
export const brokenJson: TextRule = {
  id: 'broken_json',
  keeps: 'lossless',
  propose: proposeReadings,
};

/** The last characters of a text that a reading may end with: no reading ends with words. */
const endsLikeJson = /(?:[\]},"'“”‘’>\d]|true|false|null)$/i;

/** The readings of text that is nearly the JSON of an object. */
export function proposeReadings({ text, end }: TextContext): TextProposal {
  if (!endsLikeJson.test(text.trimEnd())) return skip;
  const brokenText = readBrokenText(text, {
    maxDepth: maxTextDepth,
    isComplete: end === 'normal',
    place: 'arguments',
  });
  // What makes a text too large to be read in all ways may be only the words around an object,
  // which other rules leave out.
  if (
    brokenText.kind === 'none' ||
    (brokenText.kind === 'refused' && brokenText.reason === 'too_large')
  )
    return skip;
  if (brokenText.kind === 'refused') return refuseBroken(brokenText.reason);
  const readings = brokenText.readings.flatMap(withObject);
  return readings.length === 0 ? skip : { kind: 'readings', readings };
}

/** The reading's object: alone, as the only element of a list, or in a string. */
function withObject(reading: TextReading): readonly TextReading[] {
  const { value } = reading;
  if (isJsonObject(value)) return [reading];
  if (isJsonArray(value))
    return value.length === 1 && isJsonObject(value[0]) ? [{ ...reading, value: value[0] }] : [];
  const innerReading = typeof value === 'string' ? parseJson(value, maxTextDepth) : undefined;
  return innerReading?.kind === 'read' && isJsonObject(innerReading.value)
    ? [{ ...reading, ...innerReading }]
    : [];
}

/**
 * Reading broken text can itself repeat a key. So the message doesn't name a key, but where the
 * text stops being JSON.
 */
function refuseBroken(reason: Extract<BrokenText, { kind: 'refused' }>['reason']): TextProposal {
  if (reason !== 'too_many') return { kind: 'unreadable' };
  return refuseText('ambiguous', {
    advice: 'write every quote inside a string as \\" and close every container',
  });
}
