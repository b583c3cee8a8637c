import { z } from 'zod';
import { IsEmail, IsIn, IsInt, IsOptional, IsString, Min } from 'class-validator';
import {
  Alias,
  ArrayOf,
  Check,
  Default,
  DefinitionError,
  defineTool,
  Describe,
  FromContext,
  fromRecord,
  type MetaArgument,
  metaFields,
  Nested,
  requireMeta,
  Secret,
  type StandardMeta,
  standardMetaArguments,
  ToolRegistry,
  toRecord,
  Verbatim,
} from 'toolmend';
import { closedOf, listOf, type Schema, text, texts, whole } from '../schemas.ts';

class CallMeta {
  @IsString() @Describe('The ticket that this is for.') @Alias('issue') ticket!: string;
  @IsOptional() @IsIn(['low', 'high']) priority?: 'low' | 'high';
  @IsOptional() @ArrayOf(String) labels?: string[];
  @IsOptional() @IsInt() @Min(1) costLimit?: number;
  @IsOptional() @IsEmail() owner?: string;
  @IsOptional() @IsString() @Secret() token?: string;
}

const inputSchema = closedOf({ path: text, ticket_number: whole }, ['path']);
const reports: unknown[] = [];

function registryOf(
  meta: readonly MetaArgument[],
  effects: 'write' | 'destructive' = 'write',
): ToolRegistry {
  const tool = defineTool<{ path: string }, StandardMeta & CallMeta>({
    name: 'run',
    description: 'Runs.',
    inputSchema,
    effects,
    // Also checks the types: a ticket is a string, a timeout can be absent.
    execute: ({ path }, { meta: { ticket, timeout_seconds = 0 } }) =>
      reports.push([path, ticket.toUpperCase(), timeout_seconds + 1]),
  });
  return new ToolRegistry({ meta }).register(tool);
}

const registry = registryOf([...standardMetaArguments, ...metaFields(CallMeta)]);
const resultFor = (args: object | string, of: ToolRegistry = registry): object =>
  Reflect.get(of.interpret({ id: 'call_1', name: 'run', arguments: args }), 'interpretation');

test('a verbatim meta argument is not repaired', () => {
  class Quoted {
    @IsString() @Verbatim() words!: string;
    @IsOptional() @IsString() source?: string;
  }
  const of = registryOf(metaFields(Quoted));
  const meta = { words: '5', source: '5' };
  expect(resultFor({ path: 'a', _words: '5', _source: 5 }, of)).toMatchObject({
    status: 'repaired',
    meta,
  });
  const rejection = { status: 'rejected', issues: [{ keyword: 'meta', path: '/_words' }] };
  expect(resultFor({ path: 'a', _words: 5 }, of)).toMatchObject(rejection);
});

test('the model is shown what the class declares, and nothing of ours', () => {
  const shownSchema: Schema = registry.schemas()[0]?.inputSchema ?? {};
  expect(shownSchema).toEqual({
    ...inputSchema,
    properties: {
      ...inputSchema.properties,
      _rationale: { ...text, description: 'Why this call is made, in one sentence.' },
      _timeout_seconds: { ...whole, minimum: 1, description: 'Seconds this call may take.' },
      _ticket: { ...text, description: 'The ticket that this is for.' },
      _priority: { ...text, enum: ['low', 'high'] },
      _labels: texts,
      _costLimit: { ...whole, minimum: 1 },
      _owner: expect.objectContaining(text),
      _token: text,
    },
    required: ['path', '_ticket'],
  });
  expect(JSON.stringify(shownSchema)).not.toContain('x-toolmend');
});

test('a call that has them is unchanged, and its code gets them by name', async () => {
  const args = { path: 'a', _ticket: 'T-1', _costLimit: 5, _labels: ['x'], _timeout_seconds: 30 };
  const meta = { ticket: 'T-1', costLimit: 5, labels: ['x'], timeout_seconds: 30 };
  expect(resultFor(args)).toMatchObject({
    status: 'unchanged',
    value: { path: 'a' },
    meta,
    repairs: [],
  });
  await registry.call({ id: 'call_1', name: 'run', arguments: args });
  expect(reports).toEqual([['a', 'T-1', 31]]);
});

test.each<[object | string, object, readonly string[]]>([
  [{ Issue: 'T-1' }, { ticket: 'T-1' }, ['meta_key']],
  [{ _ticket: 'T-1', _priority: 'HIGH' }, { ticket: 'T-1', priority: 'high' }, ['enum_spelling']],
  [{ _ticket: 'T-1', _labels: '["x"]' }, { ticket: 'T-1', labels: ['x'] }, ['json_text_to_array']],
  ['{"path": "a", "_ticket": 1.50}', { ticket: '1.50' }, ['literal_to_text']],
])('%j is read as %j', (sent, meta, rules) => {
  const result = resultFor(typeof sent === 'string' ? sent : { path: 'a', ...sent });
  const repairs = rules.map((rule) => ({ rule }));
  expect(result).toMatchObject({ status: 'repaired', value: { path: 'a' }, repairs });
  expect(Reflect.get(result, 'meta')).toStrictEqual(meta);
});

test('a destructive tool does not run on a guess about them', () => {
  const careful = registryOf(metaFields(CallMeta), 'destructive');
  const args = { path: 'a', _ticket: 'T-1' };
  expect(resultFor({ ...args, _costLimit: '5' }, careful)).toMatchObject({ status: 'repaired' });
  const rejection = { status: 'rejected', issues: [{ path: '/_priority' }] };
  expect(resultFor({ ...args, _priority: 'HIGH' }, careful)).toMatchObject(rejection);
});

const issueAt = (path: string) => ({ keyword: 'meta', path });
const lostDigits = '{"path": "a", "_ticket": "T-1", "_costLimit": 12345678901234567890}';
const missingTicket = { keyword: 'required', path: '', key: '_ticket' };
const urgent = '- priority cannot be used: expected "low" or "high", got "urgent".';

test.each<[string, object | string, object, string]>([
  ['a wrong value', { priority: 'urgent' }, issueAt('/priority'), urgent],
  [
    'a wrong element',
    { _labels: ['x', ['y', 'z']] },
    issueAt('/_labels/1'),
    '- _labels[1] cannot be used',
  ],
  [
    'what a check refuses',
    { _owner: 'nobody' },
    issueAt('/_owner'),
    '- _owner cannot be used: expected',
  ],
  ['digits that would be lost', lostDigits, issueAt('/_costLimit'), '- _costLimit cannot be used'],
  [
    'a missing required one',
    { _ticket: null },
    missingTicket,
    'Example: {"path":"…","_ticket":"…"}',
  ],
])('%s is rejected', (_title, sent, issue, line) => {
  const result = resultFor(
    typeof sent === 'string' ? sent : { path: 'a', _ticket: 'T-1', ...sent },
  );
  expect(result).toMatchObject({ status: 'rejected', issues: [issue] });
  expect(Reflect.get(result, 'message')).toContain(line);
});

test('a secret is not shown', () => {
  const args = { path: 'a', _ticket: 'T-1', _token: ['hunter2', 'hunter3'] };
  const message = Reflect.get(resultFor(args), 'message');
  expect(message).toContain('_token');
  expect(message).not.toContain('hunter');
});

test('stored, driven again, and shown in the history where they are required', () => {
  const args = { path: 'a', Issue: 'T-1', costLimit: '5', timeout: 3 };
  const first = registry.interpret({ id: 'call_1', name: 'run', arguments: args });
  if (first.status !== 'accepted') throw new Error(JSON.stringify(first));
  const again = registry.interpret(fromRecord(JSON.parse(JSON.stringify(toRecord(first)))));
  const meta = { ticket: 'T-1', costLimit: 5, timeout_seconds: 3 };
  expect(again).toMatchObject({
    interpretation: { status: 'unchanged', value: { path: 'a' }, meta },
  });
  expect(registry.history(first).arguments).toBe('{"path":"a","_ticket":"T-1"}');
});

describe('by JSON Schema', () => {
  const fields = metaFields({ ticket: { ...text, pattern: '^T-' }, steps: listOf(whole) });

  test('they are optional until they are required', () => {
    expect(resultFor({ path: 'a' }, registryOf(fields))).toMatchObject({ status: 'unchanged' });
    const strict = registryOf(requireMeta(fields, 'ticket'));
    expect(resultFor({ path: 'a' }, strict)).toMatchObject({ status: 'rejected' });
    const repairedResult = { status: 'repaired', meta: { ticket: 'T-1', steps: [5] } };
    expect(resultFor({ path: 'a', _ticket: 'T-1', _steps: 5 }, strict)).toMatchObject(
      repairedResult,
    );
    expect(resultFor({ path: 'a', _ticket: '1' }, strict)).toMatchObject({
      issues: [{ path: '/_ticket' }],
    });
  });

  test('a standard one is required', () => {
    const strict = registryOf(requireMeta(standardMetaArguments, 'rationale'));
    const issues = [{ keyword: 'required', key: '_rationale' }];
    expect(resultFor({ path: 'a' }, strict)).toMatchObject({ issues });
  });
});

describe('refused definitions', () => {
  class Bad {
    @IsOptional() @Nested(() => Bad) owner?: Bad;
    @IsOptional() @IsString() @Default('x') note?: string;
    @FromContext() tenant!: string;
    @Check() fits(): true | string {
      return true;
    }
  }
  const validators = JSON.parse('{}', () => ({ owner: z.string() }));
  const registerTwice = (): unknown =>
    new ToolRegistry({ meta: [...standardMetaArguments, ...metaFields({ rationale: text })] });
  const unknownName =
    /names "reason", which is not among the meta arguments: write some of rationale/;

  test('of a class are reported all at once', () => {
    for (const place of ['owner', 'note', 'tenant', 'fits'])
      expect(() => metaFields(Bad)).toThrow(`Bad.${place} `);
    expect(() => metaFields(Bad)).toThrow(DefinitionError);
  });

  test.each<[string, () => unknown, RegExp]>([
    [
      'a reference',
      () => metaFields({ owner: { $ref: '#/$defs/Owner' } }),
      /owner refers to another schema/,
    ],
    ['a reference below', () => metaFields({ owners: listOf({ $ref: '#' }) }), /owners refers/],
    [
      'a validator',
      () => metaFields(validators),
      /owner is a validator of zod: pass its \['~standard'\]/,
    ],
    ['a name that is not a word', () => metaFields({ 'a b': text }), /"_a b" with the name "a b"/],
    [
      'two that are spelled alike',
      () => metaFields({ ticket_id: text, ticketId: text }),
      /spelled alike/,
    ],
    [
      'an unknown one that is required',
      () => requireMeta(standardMetaArguments, 'reason'),
      unknownName,
    ],
    [
      'one like a standard one',
      registerTwice,
      /_rationale and _rationale, which are spelled alike/,
    ],
  ])('%s', (_title, define, message) => {
    expect(define).toThrow(DefinitionError);
    expect(define).toThrow(message);
  });
});
