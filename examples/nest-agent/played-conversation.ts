// Plays the conversation over HTTP, prints it, and compares it with what is expected.
import { excerpt, type Terminal } from '../main-job/terminal.ts';
import type { ChatEvent, ShownCall } from './chat/chat-event.ts';
import { type ChatClient, createChatClient } from './chat-client.ts';
import { conversation, type ScriptedMessage } from './scripted-shop.ts';

/**
 * One sentence for each difference; empty if there is none. `restart`: restarts the service while a
 * question is open, and returns its new address. Default: it isn't restarted.
 */
export async function playConversation(
  address: string,
  terminal: Terminal,
  restart?: () => Promise<string>,
): Promise<readonly string[]> {
  let clients = clientsOf(address);
  const id = await clients.ada.open();
  let question: string | undefined;
  const differences: string[] = [];
  for (const message of conversation) {
    terminal.line();
    if (message.answers !== undefined && restart !== undefined) {
      clients = clientsOf(await restart());
      terminal.line('       the service has restarted');
    }
    terminal.line(`${terminal.paint('bold', 'ada')}    ${message.customer}`);
    const events = await played({ ...clients, id, question, terminal }, message);
    question = questionIn(events) ?? question;
    differences.push(
      ...differencesOf(message, events).map((what) => `“${message.customer}”: ${what}`),
    );
  }
  return [...differences, ...(await stateDifferences(clients.ada, terminal))];
}

const clientsOf = (address: string) => ({
  ada: createChatClient(address, 'token-of-ada'),
  staff: createChatClient(address, 'token-of-zoe'),
});

function questionIn(events: readonly ChatEvent[]): string | undefined {
  const asked = events.findLast(({ type }) => type === 'question');
  return asked?.type === 'question' ? asked.data.id : undefined;
}

interface Stage {
  readonly ada: ChatClient;
  readonly staff: ChatClient;
  readonly id: string;
  /** The id of the last question. */
  readonly question: string | undefined;
  readonly terminal: Terminal;
}

async function played(
  stage: Stage,
  { customer, answers }: ScriptedMessage,
): Promise<readonly ChatEvent[]> {
  const { ada, staff, id, question, terminal } = stage;
  const events: ChatEvent[] = [];
  const watch = async (answer: AsyncGenerator<ChatEvent>): Promise<void> => {
    for await (const event of answer) {
      events.push(event);
      show(terminal, event);
    }
    const words = textOf(events);
    if (words !== '') terminal.line(`${terminal.paint('bold', 'model')}  ${excerpt(words)}`);
  };
  await watch(
    answers === undefined || question === undefined
      ? ada.send(`/chats/${id}/messages`, { text: customer })
      : ada.send(`/chats/${id}/questions/${question}`, {
          action: 'accept',
          content: answers.content,
        }),
  );
  const waiting = events.findLast(({ type }) => type === 'approval');
  if (waiting?.type === 'approval') {
    const edited = { ...waiting.data.arguments, amount: 80 };
    terminal.line(`${terminal.paint('bold', 'zoe')}    approves ${JSON.stringify(edited)}`);
    const approval = { decision: 'approve', arguments: edited };
    await watch(staff.send(`/chats/${id}/approvals/${waiting.data.id}`, approval));
  }
  return events;
}

function show({ line, paint }: Terminal, event: ChatEvent): void {
  if (event.type === 'call') {
    const { tool, status, repairs, answer } = event.data;
    const colour = status === 'completed' ? 'green' : 'yellow';
    line(`       ${paint('cyan', tool)} ${paint(colour, status)}`);
    if (repairs.length > 0) line(`         repaired  ${repairs.join(', ')}`);
    line(`         answer    ${excerpt(answer)}`);
  }
  if (event.type === 'approval')
    line(`       waits for a person: ${JSON.stringify(event.data.arguments)}`);
  if (event.type === 'question') line(`       asks: ${event.data.question}`);
  if (event.type === 'error') line(`       ${paint('red', event.data.message)}`);
}

const textOf = (events: readonly ChatEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.data.text : '')).join('');

const comesOut = ({ status, repairs }: ShownCall): string =>
  repairs.length === 0 ? status : `${status}: ${repairs.join(', ')}`;

function differencesOf(
  { calls, says, answers }: ScriptedMessage,
  events: readonly ChatEvent[],
): readonly string[] {
  const came = events.flatMap((event) => (event.type === 'call' ? [event.data] : []));
  const expected = calls.map(({ tool, comesOut: out }) => `${tool} ${out}`);
  if (answers !== undefined) expected.push(answers.comesOut);
  // The approved call is reported again, with its outcome.
  const last = calls.at(-1);
  if (last?.comesOut.startsWith('approval_required') === true) {
    expected.push(`${last.tool} ${last.comesOut.replace('approval_required', 'completed')}`);
  }
  return [
    ...difference(
      'the calls',
      expected.join('\n  '),
      came.map((call) => `${call.tool} ${comesOut(call)}`).join('\n  '),
    ),
    ...difference('the model’s words', says, textOf(events)),
    ...difference('the last event', 'end', events.at(-1)?.type ?? 'none'),
  ];
}

const difference = (what: string, expected: string, came: string): readonly string[] =>
  expected === came ? [] : [`${what} should be\n  ${expected}\nand came out as\n  ${came}`];

/** The orders after the conversation, read over HTTP. */
async function stateDifferences(ada: ChatClient, terminal: Terminal): Promise<readonly string[]> {
  const orders = await ada.orders();
  const lines = orders.map(
    ({ id, refunded, address, gift_card: card }) =>
      `${id} refunded ${refunded}, to ${address}, ${card === null ? 'no gift' : `with a ${card} card`}`,
  );
  terminal.line();
  for (const line of lines) terminal.line(`order ${line}`);
  return difference('the orders', expectedOrders.join('\n  '), lines.join('\n  '));
}

const expectedOrders = [
  '1001 refunded 80, to Rosengasse 4, 8010 Graz, no gift',
  '1002 refunded 0, to Hafen 7, 20457 Hamburg, with a birthday card',
  '1003 refunded 0, to Rosengasse 4, 8010 Graz, no gift',
];
