// How does an accepted call reach its server? As the text that was accepted, with the arguments that the application sets.
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import type { ApplicationContext } from '../../contract/tool-contract.ts';
import type { ToolResult } from '../../execute/results/tool-result.ts';
import type { ToolContext } from '../../execute/tool-context.ts';
import { withMembersInText } from '../../interpret/records/with-members.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { wireValue } from '../../json/reader/wire-value.ts';
import { failureBehind, notConnected } from './remote-failure.ts';
import type { FixedArgument } from './remote-options.ts';
import { resultOf } from './remote-result.ts';

export interface SentTool {
  /** As it is registered. */
  readonly name: string;
  /** As its server calls it. */
  readonly remoteName: string;
  readonly fixed: Readonly<Record<string, FixedArgument>>;
}

/** Sends arguments and gives what the server answered; throws a ToolFailure for what a model should know of. */
export const sendCall =
  (client: Client, { name, remoteName, fixed }: SentTool) =>
  async (text: string, context: ToolContext): Promise<ToolResult> => {
    const sent: unknown = wireValue(withMembersInText(text, membersOf(fixed, context.values)));
    if (client.transport === undefined) throw notConnected(name);
    const { signal, progress: onprogress } = context;
    let answer: CallToolResult;
    try {
      // The call's own time limit is the one that holds.
      const options = { signal, onprogress, timeout: longestTimer };
      answer = await client.callTool({ name: remoteName, arguments: isRecord(sent) ? sent : {} }, options);
    } catch (error) {
      signal.throwIfAborted();
      throw failureBehind(error, name);
    }
    return resultOf(answer, name);
  };

/** The longest that a timer can be: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const longestTimer = 2 ** 31 - 1;

const membersOf = (
  fixed: SentTool['fixed'],
  values: ApplicationContext,
): readonly (readonly [string, JsonValue])[] =>
  Object.entries(fixed).map(
    ([key, value]) => [key, typeof value === 'function' ? value(values) : value] as const,
  );

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
