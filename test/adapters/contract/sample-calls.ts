// The calls that go through every adapter, and what the model reads of each, written by hand.

export interface SampleCall {
  readonly id: string;
  /** What it is an example of. */
  readonly what: string;
  readonly kind: 'valid' | 'near-miss' | 'hopeless';
  readonly tool: string;
  /** As the model writes it, which is not always JSON. */
  readonly text: string;
  /** The answer was cut off. */
  readonly isCut?: true;
  readonly expected: Expected;
}

/**
 * `ran`, `waits`: the result, or what is said of the question, to the letter. `refused`: how the
 * message starts, and what it says.
 */
export type Expected =
  | { readonly outcome: 'ran'; readonly result: string; readonly notes?: readonly string[] }
  | { readonly outcome: 'waits'; readonly result: string }
  | { readonly outcome: 'refused'; readonly says: readonly string[]; readonly hides?: string };

const ran = (result: unknown, ...notes: readonly string[]): Expected => ({
  outcome: 'ran',
  result: typeof result === 'string' ? result : JSON.stringify(result),
  notes,
});

/** The message always says that the tool was not executed. */
const refused = (says: string, hides?: string): Expected => ({
  outcome: 'refused',
  says: [says],
  ...(hides === undefined ? {} : { hides }),
});

type Row = readonly [what: string, tool: string, text: string, expected: Expected];

const order = { lines: [{ sku: 'A1', count: 2 }], payment: { kind: 'card', number: '4111' } };
const asText = { lines: JSON.stringify(order.lines), payment: JSON.stringify(order.payment) };
const invoice = { lines: [], payment: { kind: 'invoice', terms: 'net_30' } };
const someLines = { paths: ['a.ts'], offset: 2, limit: 5 };
const ada = { name: 'Ada', phone: null };
const [offset0, notes] = [{ ...someLines, offset: 0 }, 'offset was not sent; 0 was used.'];

const valid: readonly Row[] = [
  ['a list', 'read_files', '{"paths":["a.ts"]}', ran({ paths: ['a.ts'] })],
  ['a pair', 'read_files', '{"paths":["a.ts"],"offset":2,"limit":5}', ran(someLines)],
  ['nested objects and a union', 'place_order', JSON.stringify(order), ran(order)],
  ['the other branch', 'place_order', JSON.stringify(invoice), ran(invoice)],
  ['null as a value', 'set_profile', '{"name":"Ada","phone":null}', ran(ada)],
  ['a map', 'label_item', '{"labels":{"red":1}}', ran({ labels: { red: 1 } })],
  ['a secret', 'sign_in', '{"user":"ada","password":"hunter2"}', ran('ada is signed in')],
  ['a destructive tool', 'delete_orders', '{"ids":[7]}', ran({ ids: [7] })],
];

const kindOfInvoice = '{"lines":[],"payment":{"kind":"Invoice","terms":"net-30"}}';
const nearMisses: readonly Row[] = [
  ['a list as text', 'read_files', '{"paths":"[\\"a.ts\\"]"}', ran({ paths: ['a.ts'] })],
  ['one value for a list', 'read_files', '{"paths":"a.ts"}', ran({ paths: ['a.ts'] })],
  ['a path as a link', 'read_files', '{"paths":["[a.ts](http://a.ts)"]}', ran({ paths: ['a.ts'] })],
  ['an alias', 'read_files', '{"file":"a.ts"}', ran({ paths: ['a.ts'] })],
  ['a misspelt key', 'read_files', '{"Paths":["a.ts"]}', ran({ paths: ['a.ts'] })],
  ['half a pair', 'read_files', '{"paths":["a.ts"],"limit":5}', ran(offset0, notes)],
  ['a number as text', 'read_files', '{"paths":["a.ts"],"offset":"2","limit":5}', ran(someLines)],
  ['null for what is optional', 'set_profile', '{"name":"Ada","phone":null,"age":null}', ran(ada)],
  ['nested objects as text', 'place_order', JSON.stringify(asText), ran(order)],
  ['a misspelt member', 'place_order', kindOfInvoice, ran(invoice)],
  ['an envelope', 'label_item', '{"arguments":{"labels":{"red":1}}}', ran({ labels: { red: 1 } })],
  ['text in a map of numbers', 'label_item', '{"labels":{"red":"1"}}', ran({ labels: { red: 1 } })],
  ['Python for JSON', 'set_profile', "{'name': 'Ada', 'phone': None}", ran(ada)],
  ['a code fence', 'label_item', '```json\n{"labels":{"red":1}}\n```', ran({ labels: { red: 1 } })],
  ['a misspelt name', 'Read-Files', '{"paths":["a.ts"]}', ran({ paths: ['a.ts'] })],
  ['a lossless repair of a destructive call', 'delete_orders', '{"ids":"[7]"}', ran({ ids: [7] })],
];

const unknownKey = refused('- encoding is not a known property');
const hopeless: readonly Row[] = [
  ['something is missing', 'set_profile', '{"phone":null}', refused('- name is missing')],
  ['an unknown key', 'read_files', '{"paths":["a.ts"],"encoding":"utf8"}', unknownKey],
  ['cut off', 'read_files', '{"paths":["a.ts","b', refused('cut off')],
  ['an unknown tool', 'write_file', '{"path":"a.ts"}', refused('\nThere is no tool of this name.')],
  ['beside a secret', 'sign_in', '{"password":"hunter2"}', refused('- user is missing', 'hunter2')],
  [
    'a destructive call that would have to be changed',
    'delete_orders',
    '{"ids":[7],"reason":null}',
    refused('send exactly: {"ids":[7]}'),
  ],
];

const calls = (
  kind: SampleCall['kind'],
  rows: readonly Row[],
  from: number,
): readonly SampleCall[] =>
  rows.map(([what, tool, text, expected], at) => ({
    id: `call_${from + at}`,
    what,
    kind,
    tool,
    text,
    ...(what === 'cut off' ? { isCut: true } : {}),
    expected,
  }));

const rentBike = { what: 'a question', kind: 'near-miss', tool: 'rent_bike' } as const;

/** Its tool asks a person, and nobody is there. */
export const askingCall: SampleCall = {
  ...rentBike,
  id: 'call_31',
  text: '{"days":"3"}',
  expected: {
    outcome: 'waits',
    result:
      'rent_bike has not finished. It has asked a person: Which size for 3 days?\n' +
      'Do not send this call again: the result will follow.',
  },
};

/** The person answers `m` while the caller waits. */
export const answeredCall: SampleCall = {
  ...rentBike,
  id: 'call_32',
  text: '{"days":"3"}',
  expected: ran('M for 3 days'),
};

/** Its result has files. What an adapter carries is in its driver; the texts stand for the others. */
export const exportingCall: SampleCall = {
  id: 'call_36',
  what: 'files in a result',
  kind: 'near-miss',
  tool: 'export_report',
  text: '{"pages":"3"}',
  expected: ran('a report of 3 pages'),
};

/** The files of that result, and what the model reads if its API can't carry them. */
export const exportedFiles = {
  pdf: {
    carried: 'application/pdf JVBERg==',
    text: "The result has a file that can't be shown here: report.pdf, application/pdf, 4 bytes.",
  },
  audio: {
    carried: 'audio/wav UklGRg==',
    text: "The result has an audio file that can't be shown here: audio/wav, 4 bytes.",
  },
  link: {
    carried: 'text/html https://a.test/report',
    text: 'The report\nhttps://a.test/report\n(text/html, 9 bytes)',
  },
} as const;

/** It is refused, so that the model has to try again. */
export const refusedCall: SampleCall = {
  id: 'call_37',
  what: 'a second try',
  kind: 'hopeless',
  tool: 'set_profile',
  text: '{"phone":null}',
  expected: refused('- name is missing'),
};

/** A second try would change nothing. */
export const repairedCall: SampleCall = {
  ...refusedCall,
  id: 'call_38',
  kind: 'near-miss',
  text: '{"name":"Ada","phone":null,"age":"36"}',
  expected: ran({ ...ada, age: 36 }),
};

/** It comes in two or three pieces. */
export const streamedCall: SampleCall = {
  id: 'call_39',
  what: 'arguments while they come',
  kind: 'near-miss',
  tool: 'read_files',
  text: '{"paths":["a.ts"],"offset":"2","limit":5}',
  expected: ran(someLines),
};

/** What can be shown of that call, by what has come of its text. */
export const shownAfter: Readonly<Record<string, unknown>> = {
  '': {},
  '{"paths":["a.t': { paths: ['a.t'] },
  '{"paths":["a.ts"],"of': { paths: ['a.ts'] },
  '{"paths":["a.ts"],"offset":"': { paths: ['a.ts'], offset: '' },
  [streamedCall.text]: { paths: ['a.ts'], offset: '2', limit: 5 },
};

const dispatched = { tool: 'call_tool', kind: 'near-miss' } as const;

/** Calls of a tool that calls others, which has the call of `read_files` in its arguments. */
export const dispatchingCalls: readonly SampleCall[] = [
  {
    ...dispatched,
    id: 'call_33',
    what: 'inner arguments',
    text: '{"tool_name":"readFiles","parameters":{"file":"a.ts","limit":"5"}}',
    expected: ran(
      { tool_name: 'read_files', parameters: { limit: 5, paths: ['a.ts'], offset: 0 } },
      `parameters.${notes}`,
    ),
  },
  {
    ...dispatched,
    id: 'call_34',
    what: 'inner arguments as text',
    text: JSON.stringify({ tool_name: 'read_files', parameters: '{"paths":"a.ts"}' }),
    expected: ran({ tool_name: 'read_files', parameters: { paths: ['a.ts'] } }),
  },
  {
    ...dispatched,
    id: 'call_35',
    what: 'wrong inner arguments',
    kind: 'hopeless',
    text: '{"tool_name":"set_profile","parameters":{"phone":null}}',
    expected: refused('- parameters.name is missing'),
  },
];

export const sampleCalls: readonly SampleCall[] = [
  ...calls('valid', valid, 1),
  ...calls('near-miss', nearMisses, 1 + valid.length),
  ...calls('hopeless', hopeless, 1 + valid.length + nearMisses.length),
];
