// How is a stored call driven again? As a call with its meta arguments put back, which is interpreted like any other.
import { canonicalKey } from '../../contract/meta/meta-arguments.ts';
import type { ToolCall } from '../tool-call.ts';
import { readStoredCall } from './read-stored-call.ts';
import { withMembersInText } from './with-members.ts';

/**
 * The call of a record, for `ToolRegistry.call`: interpreted again by the same contract it comes out unchanged, with the
 * same arguments and meta arguments. A record comes from outside, so it is checked: throws a RecordError for anything
 * that `toRecord` can't have made.
 */
export function fromRecord(record: unknown): ToolCall {
  const { id, tool, model, arguments: text, meta } = readStoredCall(record);
  const members = Object.entries(meta).map(([name, value]) => [canonicalKey(name), value] as const);
  return Object.freeze({
    id,
    name: tool,
    arguments: withMembersInText(text, members),
    ...(model === undefined ? {} : { model }),
  });
}
