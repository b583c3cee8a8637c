// What do the arguments of one call mean, as they were sent? Decoded, read in the tool's own form, accepted or repaired.
import type { Precision } from '../json/reader/parse-json.ts';
import { acceptAsSent } from './accept-as-sent.ts';
import { withText } from './arguments-text.ts';
import type { ContractFacts } from './contract-facts.ts';
import { decodeCall } from './decoding/decode-call.ts';
import { interpretDecoded } from './interpret-decoded.ts';
import type { Interpretation } from './interpretation.ts';
import { reject } from './rejection/reject.ts';
import { inOwnForm, type OwnArguments, type Way } from './shown/own-form.ts';
import type { SentArguments } from './tool-call.ts';

/** How numbers were spelled is read only for a call that isn't valid as it is. */
export function interpretSent(
  facts: ContractFacts,
  call: SentArguments,
  way: Way,
  precision: Precision = 'approximate',
): Interpretation {
  const { destination, shown } = way;
  const sent = decodeCall(facts, call, precision);
  if (sent.kind === 'refused') return reject(facts.judge, {}, [sent.issue]);
  const decoded: OwnArguments = shown === undefined ? sent : inOwnForm(sent, shown, destination);
  const asSent = acceptAsSent(facts, decoded);
  if (typeof asSent === 'object') return destination === 'wire' ? withText(asSent, decoded, call) : asSent;
  if (destination === 'wire' && decoded.isApproximate) return interpretSent(facts, call, way, 'exact');
  // Repair adds the spellings of what it makes.
  const own = { ...decoded, numbers: decoded.numbers.copied(), verdict: asSent };
  const result = interpretDecoded(facts.judge, own, destination);
  if (result === undefined) return interpretSent(facts, call, way, 'exact');
  return destination === 'wire' ? withText(result, own, call) : result;
}
