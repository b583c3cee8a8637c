// The script: what the customer writes, what the model sends, and what is expected.
import type { JsonObject } from 'toolmend';
import type { NextStep } from '../main-job/scripted-model.ts';
import type { CompletionRequest } from '../main-job/scripted-model-server.ts';

export interface ScriptedMessage {
  readonly customer: string;
  readonly calls: readonly ShopCall[];
  /** The model's final text, if it has read each of `after` in the last answer. */
  readonly says: string;
  readonly after: readonly string[];
  /** The service restarts, and the customer answers the open question in place of a message. */
  readonly answers?: {
    readonly content: JsonObject;
    /** Of the call that had asked: its tool, and how it comes out. */
    readonly comesOut: string;
  };
}

export interface ShopCall {
  readonly tool: string;
  readonly sends: unknown;
  /** `completed: wrap_in_array /statuses, …`, or the outcome alone. */
  readonly comesOut: string;
}

export const scriptedModelName = 'scripted-shop-model';

export const conversation: readonly ScriptedMessage[] = [
  {
    customer: 'Which of my orders are on their way?',
    calls: [
      {
        tool: 'list_orders',
        sends: { statuses: 'Shipped', limit: '5' },
        comesOut:
          'completed: wrap_in_array /statuses, enum_spelling /statuses/0, text_to_integer /limit',
      },
    ],
    says: 'The kettle of order 1003 is on its way.',
    after: ['"id":1003'],
  },
  {
    customer: 'Is there still a teapot, and how do returns work?',
    calls: [
      {
        tool: 'look_up_stock',
        sends: { articles: '["teapot", "cup"]' },
        comesOut: 'completed: json_text_to_array /articles',
      },
      {
        tool: 'read_page',
        sends: { path: '[returns.md](http://returns.md)' },
        comesOut: 'completed: md_link_to_path /path',
      },
    ],
    says: 'There are 3 teapots, and you have 30 days to send something back.',
    after: ['30 days'],
  },
  {
    customer: 'Send order 1002 to Hafen 7, 20457 Hamburg instead.',
    calls: [
      {
        tool: 'change_shipping_address',
        sends: {
          order_id: '1002',
          address:
            '{"street": "Hafen 7", "postal_code": "20457", "city": "Hamburg", "country": null}',
        },
        comesOut:
          'completed: rename_key /order_id, json_text_to_object /address, rename_key /address/postal_code, ' +
          'drop_null /address/country, text_to_integer /orderId',
      },
    ],
    says: 'Order 1002 goes to Hamburg.',
    after: ['Hafen 7, 20457 Hamburg'],
  },
  {
    customer: 'Then send order 1003 there too.',
    calls: [
      {
        tool: 'change_shipping_address',
        sends: {
          orderId: 1003,
          address: { street: 'Hafen 7', postalCode: '20457', city: 'Hamburg' },
        },
        comesOut: 'failed',
      },
    ],
    says: 'That one is shipped already.',
    after: ['Order 1003 is shipped already.'],
  },
  {
    customer: 'The teapot of order 1001 is broken. I want my money back.',
    calls: [
      // A refund needs certainty: the model has to confirm the repair of a misspelt key.
      {
        tool: 'refund_order',
        sends: { order_id: 1001, amount: '89.5', reason: 'broken' },
        comesOut: 'invalid_arguments',
      },
      {
        tool: 'refund_order',
        sends: { orderId: 1001, amount: '89.5', reason: 'broken' },
        comesOut: 'approval_required: text_to_number /amount',
      },
    ],
    says: 'You get 80 back.',
    after: ['"refunded":80'],
  },
  {
    customer: 'Wrap order 1002 as a gift.',
    calls: [
      {
        tool: 'wrap_as_gift',
        sends: { orderId: '1002' },
        comesOut: 'input_required: text_to_integer /orderId',
      },
    ],
    says: 'Which card may it be?',
    after: ['It has asked a person: Which card goes with order 1002?'],
  },
  {
    customer: 'Birthday',
    answers: {
      content: { card: 'Birthday' },
      comesOut: 'wrap_as_gift completed: text_to_integer /orderId',
    },
    calls: [],
    says: 'It is wrapped, with a birthday card.',
    after: ['"gift_card":"birthday"'],
  },
  {
    customer: 'You could order a hundred more teapots.',
    calls: [{ tool: 'restock', sends: { article: 'teapot', count: 100 }, comesOut: 'denied' }],
    says: 'I may not do that.',
    after: ['Only staff may do that.'],
  },
];

/** The model's next step, chosen from the conversation alone. */
export function nextShopStep({ messages = [], tools = [] }: CompletionRequest): NextStep {
  const asked = messages.filter(({ role }) => role === 'user').length;
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const made = since.reduce((count, { tool_calls: calls }) => count + (calls?.length ?? 0), 0);
  const script = conversation[asked - 1];
  if (script === undefined) return { kind: 'text', text: 'I have nothing more to say.' };
  const call = script.calls[made];
  if (call !== undefined) {
    if (!tools.some((tool) => tool.function?.name === call.tool))
      throw new Error(`there is no ${call.tool}`);
    const { tool, sends } = call;
    return { kind: 'call', index: asked * 100 + made, call: { tool, sends } };
  }
  // The result of a call that had waited is a message of its own.
  const read = JSON.stringify((since.at(-1) ?? messages.at(-1))?.content ?? '');
  const missing = script.after.filter((text) => !read.includes(JSON.stringify(text).slice(1, -1)));
  return {
    kind: 'text',
    text: missing.length === 0 ? script.says : `I have not read ${missing.join()}, but ${read}`,
  };
}
