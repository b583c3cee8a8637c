import { testRule } from '../rule-case.ts';
import { text } from '../../schemas.ts';

const kind = { 'x-toolmend': { semantic: 'line_range' } } as const;
const list = {
  type: 'array',
  items: { type: 'integer' },
  minItems: 2,
  maxItems: 2,
  ...kind,
} as const;
const inText = { ...text, ...kind } as const;
const argument = 'lines';

testRule('line_range_form', {
  untouched: [
    ...[
      [10, 20],
      [7, 7],
      [10, -1],
    ].map((value) => ({ title: JSON.stringify(value), argument, schema: list, value })),
    { title: 'a text', argument, schema: inText, value: '10-20' },
    { title: 'another list', argument, schema: { ...list, 'x-toolmend': {} }, value: [20, 10] },
  ],
  repaired: [
    ...[
      '10-20',
      'L10-L20',
      '#L10-L20',
      'L10-20',
      '10–20',
      '10..20',
      ' 10 - 20 ',
      'lines 10-20',
      'Lines 10 to 20',
      '10, 20',
      { start: 10, end: 20 },
      { end_line: 20, start_line: '10' },
      { startLine: 10, endLine: 20 },
      { from: 10, to: 20 },
    ].map((sent) => ({
      title: JSON.stringify(sent),
      argument,
      schema: list,
      sent,
      becomes: [10, 20],
    })),
    {
      title: 'the text of a list',
      argument,
      schema: list,
      sent: '[10, 20]',
      becomes: [10, 20],
      repairs: 'json_text_to_array /lines',
    },
    {
      title: 'numbers in quotes',
      argument,
      schema: list,
      sent: ['10', '20'],
      becomes: [10, 20],
      repairs: ['text_to_integer /lines/0', 'text_to_integer /lines/1'],
    },
    {
      title: 'to the end of the file',
      argument,
      schema: list,
      sent: { start: 10, end: -1 },
      becomes: [10, -1],
    },
    ...['L10-L20', '[10, 20]', 'lines 10-20', [10, 20], { start: 10, end: 20 }].map((sent) => ({
      title: `${JSON.stringify(sent)} for a text`,
      argument,
      schema: inText,
      sent,
      becomes: '10-20',
    })),
  ],
  refused: [
    ...[
      [20, 10],
      [0, 5],
      [-3, -1],
    ].map((sent) => ({
      title: JSON.stringify(sent),
      argument,
      schema: list,
      sent,
      issues: 'line_range /lines',
    })),
    ...['10', '10:20', '20-10', 'L10', '10-', 'all', { start: 10 }, { start: 10, limit: 20 }].map(
      (sent) => ({ title: JSON.stringify(sent), argument, schema: list, sent }),
    ),
    ...['10', '10:20', '20-10', '0-5'].map((sent) => ({
      title: `${JSON.stringify(sent)} for a text`,
      argument,
      schema: inText,
      sent,
      issues: 'line_range /lines',
    })),
  ],
});
