// Where does a message's content say its calls once more? In blocks of LangChain's own form and of Anthropic's: there, too, they
// have to be as they were meant, or the history has a call twice, or has it as it was sent.
import type { AIMessage } from '@langchain/core/messages';

type Content = AIMessage['content'];
type Block = Exclude<Content, string>[number];

/** A call as LangChain lists it. */
export type MeantCall = NonNullable<AIMessage['tool_calls']>[number] & { readonly id: string };

/** A call, and the id that it came with. */
interface SentCall {
  readonly sentId: string | undefined;
  readonly call: MeantCall | undefined;
}

/** A new list, with each call's block as the call is. LangChain adds what is missing of its own blocks. */
export function contentWith(content: Content, calls: readonly SentCall[]): Content {
  if (typeof content === 'string') return content;
  const places = content.filter((block) => formOf(block) !== undefined);
  const meant = callsOf(places, calls);
  return content.flatMap((block) => {
    const form = formOf(block);
    if (form === undefined) return [block];
    const call = meant.get(block);
    if (call === undefined) return form === 'own' ? [] : [block];
    return [form === 'own' ? ownBlock(call) : { ...block, id: call.id, name: call.name, input: call.args }];
  });
}

const ownBlock = ({ id, name, args }: MeantCall): Block => ({ type: 'tool_call', id, name, args });

/** LangChain's, whole, streamed or not to be read; Anthropic's; undefined: no call. */
function formOf({ type }: Block): 'own' | 'anthropic' | undefined {
  if (type === 'tool_use') return 'anthropic';
  return type === 'tool_call' || type === 'tool_call_chunk' || type === 'invalid_tool_call'
    ? 'own'
    : undefined;
}

/** By their ids where these tell the calls apart, else by their places. */
function callsOf(places: readonly Block[], calls: readonly SentCall[]): ReadonlyMap<Block, MeantCall> {
  const byId = new Map(calls.map(({ sentId, call }) => [sentId, call]));
  const areApart = byId.size === calls.length && !byId.has(undefined);
  const isInOrder = places.length === calls.length;
  return new Map(
    places.flatMap((block, index) => {
      const call = areApart ? byId.get(idOf(block)) : isInOrder ? calls[index]?.call : undefined;
      return call === undefined ? [] : [[block, call] as const];
    }),
  );
}

const idOf = (block: Block): string | undefined =>
  'id' in block && typeof block.id === 'string' ? block.id : undefined;
