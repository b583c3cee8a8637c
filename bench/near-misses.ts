import type { ToolDefinition } from 'toolmend';
import type { SchemaObject } from './schema-object.ts';

export interface NearMiss {
  readonly rule: string;
  readonly schema: SchemaObject;
  readonly text: string;
  readonly repaired: object;
  /** What else is said of the tool. */
  readonly tool?: Pick<ToolDefinition, 'effects' | 'unknownArguments'>;
  readonly finishReason?: string;
}

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const step = {
  type: 'object',
  properties: { action: text, count: { type: 'integer' } },
  required: ['action', 'count'],
  additionalProperties: false,
} as const;

/**
 * A closed object of `title`, `count` and one field more; all of it as it should be but for what is
 * given.
 */
function fieldOf(
  rule: string,
  field: SchemaObject,
  { sent, meant, ...others }: { sent: unknown; meant: unknown } & Partial<NearMiss>,
): NearMiss {
  const beside = { title: 'Renew the contract', count: 2 };
  return {
    rule,
    schema: {
      type: 'object',
      properties: { title: text, count: { type: 'integer', minimum: 1 }, field },
      required: ['title', 'count'],
      additionalProperties: false,
    },
    text: JSON.stringify({ ...beside, field: sent }),
    repaired: meant === undefined ? beside : { ...beside, field: meant },
    ...others,
  };
}

const whole = { title: 'Renew the contract', count: 2, field: ['a.txt', 'b.txt'] };
const wholeText = JSON.stringify(whole);
const asText = (rule: string, sent: string, others: Partial<NearMiss> = {}): NearMiss => ({
  ...fieldOf(rule, texts, { sent: [], meant: whole.field }),
  text: sent,
  ...others,
});

/** With a required third field. */
const required = (nearMiss: NearMiss): NearMiss => ({
  ...nearMiss,
  schema: { ...nearMiss.schema, required: ['title', 'count', 'field'] },
});

const colors = { type: 'string', enum: ['dark_red', 'light_blue'] } as const;

export const textNearMisses: readonly NearMiss[] = [
  {
    rule: 'empty_text',
    schema: { type: 'object', properties: { title: text }, additionalProperties: false },
    text: '',
    repaired: {},
    finishReason: 'tool_calls',
  },
  asText('double_encoded', JSON.stringify(wholeText)),
  asText('single_root', `[${wholeText}]`),
  asText('code_fence', `\`\`\`json\n${wholeText}\n\`\`\``),
  {
    rule: 'call_notation',
    schema: {
      type: 'object',
      properties: { title: text, field: text },
      additionalProperties: false,
    },
    text: '<parameter=title>Renew the contract</parameter><parameter=field>a.txt</parameter>',
    repaired: { title: 'Renew the contract', field: 'a.txt' },
  },
  asText('loose_json', "{'title': 'Renew the contract', count: 2, 'field': ['a.txt', 'b.txt',],}"),
  asText('repeated_object', `${wholeText}${wholeText}`),
  asText('broken_json', wholeText.replace('"a.txt",', '"a.txt" ')),
  {
    rule: 'bare_word',
    schema: { type: 'object', properties: { title: text }, additionalProperties: false },
    text: '{title: contract}',
    repaired: { title: 'contract' },
  },
  asText('surrounding_text', `Here is the call:\n${wholeText}`),
  {
    rule: 'wrap_text_in_parameter',
    schema: {
      type: 'object',
      properties: { title: text },
      required: ['title'],
      additionalProperties: false,
    },
    text: '"Renew the contract"',
    repaired: { title: 'Renew the contract' },
  },
];

export const valueNearMisses: readonly NearMiss[] = [
  asText('unwrap_envelope', `{"arguments":${wholeText}}`),
  asText(
    'merge_envelope',
    '{"title":"Renew the contract","arguments":{"count":2,"field":["a.txt","b.txt"]}}',
  ),
  {
    rule: 'split_markup',
    schema: {
      type: 'object',
      properties: { title: text, body: text },
      required: ['title', 'body'],
      additionalProperties: false,
    },
    text: '{"title":"Renew</arg_value><arg_key>body</arg_key><arg_value>The contract"}',
    repaired: { title: 'Renew', body: 'The contract' },
  },
  {
    rule: 'wrap_in_parameter',
    schema: {
      type: 'object',
      properties: { step },
      required: ['step'],
      additionalProperties: false,
    },
    text: '{"action":"sign","count":1}',
    repaired: { step: { action: 'sign', count: 1 } },
  },
  asText('unwrap_outer_key', `{"payload":${wholeText}}`),
  asText('drop_tool_name', `${wholeText.slice(0, -1)},"tool":"note"}`),
  {
    ...fieldOf(
      'hoist_member',
      { type: 'object', properties: { action: text }, additionalProperties: false },
      { sent: '', meant: { action: 'sign' } },
    ),
    text: '{"title":"Renew the contract","field":{"action":"sign","count":2}}',
  },
  fieldOf('unwrap_repeated', step, {
    sent: { field: { action: 'sign', count: 1 } },
    meant: { action: 'sign', count: 1 },
  }),
  asText('rename_key', wholeText.replace('"field"', '"Field"')),
  {
    ...fieldOf('unflatten_keys', step, { sent: '', meant: { action: 'sign', count: 1 } }),
    text: '{"title":"Renew the contract","count":2,"field.action":"sign","field.count":1}',
  },
  required(asText('rename_related', wholeText.replace('"field"', '"field_value"'))),
  {
    rule: 'fold_into_element',
    schema: {
      type: 'object',
      properties: { steps: { type: 'array', items: step } },
      required: ['steps'],
      additionalProperties: false,
    },
    text: '{"action":"sign","count":1}',
    repaired: { steps: [{ action: 'sign', count: 1 }] },
  },
  asText('drop_empty_key', `${wholeText.slice(0, -1)},"options":{}}`),
  fieldOf('drop_null', texts, { sent: null, meant: undefined }),
  fieldOf('drop_placeholder', texts, { sent: '', meant: undefined }),
  required(
    fieldOf('fill_default', { ...text, default: 'a.txt' }, { sent: undefined, meant: 'a.txt' }),
  ),
  required(fieldOf('fill_null', { type: ['integer', 'null'] }, { sent: undefined, meant: null })),
  required({
    ...asText('rename_only_candidate', wholeText.replace('"field"', '"inputs"')),
    tool: { effects: 'read' },
  }),
  {
    ...asText('drop_unknown_argument', `${wholeText.slice(0, -1)},"verbose":true}`),
    tool: { unknownArguments: 'strip' },
  },
  fieldOf('null_word', { type: ['integer', 'null'] }, { sent: 'null', meant: null }),
  fieldOf('json_text_to_array', texts, { sent: '["a.txt","b.txt"]', meant: ['a.txt', 'b.txt'] }),
  fieldOf('json_text_to_object', step, {
    sent: '{"action":"sign","count":1}',
    meant: { action: 'sign', count: 1 },
  }),
  fieldOf('text_to_number', { type: 'number' }, { sent: '2.5', meant: 2.5 }),
  fieldOf('text_to_integer', { type: 'integer' }, { sent: '25', meant: 25 }),
  fieldOf('text_to_boolean', { type: 'boolean' }, { sent: 'True', meant: true }),
  fieldOf(
    'md_link_to_path',
    { ...text, 'x-toolmend': { semantic: 'path' } },
    { sent: '[src/a.ts](http://src/a.ts)', meant: 'src/a.ts' },
  ),
  fieldOf(
    'line_range_form',
    {
      type: 'array',
      items: { type: 'integer' },
      minItems: 2,
      maxItems: 2,
      'x-toolmend': { semantic: 'line_range' },
    },
    { sent: 'L10-L20', meant: [10, 20] },
  ),
  required(fieldOf('empty_object_to_array', texts, { sent: {}, meant: [] })),
  fieldOf('keyed_object_to_array', texts, { sent: { item: ['a.txt'] }, meant: ['a.txt'] }),
  fieldOf(
    'split_enum_list',
    { type: 'array', items: colors },
    {
      sent: 'dark_red,light_blue',
      meant: ['dark_red', 'light_blue'],
    },
  ),
  fieldOf('item_to_scalar', texts, {
    sent: [{ item: 'a.txt' }, 'b.txt'],
    meant: ['a.txt', 'b.txt'],
  }),
  fieldOf('wrap_in_array', texts, { sent: 'a.txt', meant: ['a.txt'] }),
  fieldOf('unwrap_single', { type: 'integer' }, { sent: [3], meant: 3 }),
  fieldOf('echoed_schema', text, { sent: { type: 'string', value: 'a.txt' }, meant: 'a.txt' }),
  fieldOf('literal_to_text', text, { sent: 42, meant: '42' }),
  fieldOf('enum_spelling', colors, { sent: 'Dark Red', meant: 'dark_red' }),
  fieldOf(
    'url_in_markup',
    { ...text, 'x-toolmend': { semantic: 'url' } },
    { sent: '<https://example.com/a>', meant: 'https://example.com/a' },
  ),
  fieldOf(
    'glob_in_quotes',
    { ...text, 'x-toolmend': { semantic: 'glob' } },
    { sent: '"**/*.ts"', meant: '**/*.ts' },
  ),
];
