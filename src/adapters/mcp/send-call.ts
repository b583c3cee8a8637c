// How does an accepted call reach its server? As the text that was accepted, with the arguments that the application sets.
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { longestTime } from '../../errors/milliseconds.ts';
import type { ToolResult } from '../../execute/results/tool-result.ts';
import type { ToolContext } from '../../execute/tool-context.ts';
import { withMembersInText } from '../../interpret/records/with-members.ts';
import { wireValue } from '../../json/reader/wire-value.ts';
import { type FixedArguments, fixedMembers } from './fixed-arguments.ts';
import type { ListedTool } from './list-remote-tools.ts';
import { failureBehind, notConnected, undeclared } from './remote-failure.ts';
import { outputCheckOf, resultOf } from './remote-result.ts';

export interface SentTool {
  /** As it is registered. */
  readonly name: string;
  /** As its server describes it. */
  readonly listed: ListedTool;
  readonly fixed: FixedArguments;
}

/** Sends arguments and gives what the server answered; throws a ToolFailure for what a model should know of. */
export function sendCall(
  client: Client,
  { name, listed, fixed }: SentTool,
): (text: string, context: ToolContext) => Promise<ToolResult> {
  const isDeclared = outputCheckOf(listed.outputSchema);
  const definition = definitionFor(listed);
  return async (text, context) => {
    const sent: unknown = wireValue(withMembersInText(text, fixedMembers(fixed, context.values)));
    if (client.transport === undefined) throw notConnected(name);
    const { signal, progress: onprogress } = context;
    let answer: CallToolResult;
    try {
      // The call's own time limit is the one that holds.
      const options = { signal, onprogress, timeout: longestTime, ...definition };
      answer = await client.callTool({ name: listed.name, arguments: isRecord(sent) ? sent : {} }, options);
    } catch (error) {
      signal.throwIfAborted();
      throw failureBehind(error, name);
    }
    if (answer.isError !== true && !isDeclared(answer.structuredContent)) throw undeclared(name, answer);
    return resultOf(answer, name);
  };
}

/**
 * The client would refuse an answer that its server has not declared just as a server refuses a call: it is told of no output
 * schema, so that a call that was executed is never said to have been refused.
 */
function definitionFor({ outputSchema, ...definition }: ListedTool): Pick<SendOptions, 'toolDefinition'> {
  return outputSchema !== undefined && isDefinition(definition) ? { toolDefinition: definition } : {};
}

type SendOptions = NonNullable<Parameters<Client['callTool']>[1]>;

// As the server sent it; the SDK's type wants lists that could be written to.
const isDefinition = (definition: object): definition is NonNullable<SendOptions['toolDefinition']> =>
  'inputSchema' in definition;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
