// Do the arguments of a tool that is somewhere else leave with every digit, and only as they were validated?
import {
  defineTool,
  type RegistryOptions,
  standardMetaArguments,
  type ToolContract,
  ToolRegistry,
} from 'toolmend';

const order = defineTool({
  name: 'get_order',
  description: 'Read an order.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'integer' }, lines: { type: 'array', items: { type: 'integer' } } },
    required: ['id'],
    additionalProperties: false,
  },
  execute: () => 'never',
});

const longId = '12345678901234567890';

function wireRegistry(options: RegistryOptions = {}): { tools: ToolRegistry; sent: string[] } {
  const sent: string[] = [];
  const send = (text: string): string => {
    sent.push(text);
    return 'found';
  };
  const contract: ToolContract = { ...order, binding: { kind: 'remote', send } };
  return { tools: new ToolRegistry(options).register(contract), sent };
}

const call = (text: unknown) => ({ id: 'c1', name: 'get_order', arguments: text });

test('valid text leaves as it came, a value as its JSON', async () => {
  const { tools, sent } = wireRegistry();
  const outcome = await tools.call(call('{ "id": 7 }'));
  await tools.call(call({ id: 8 }));
  expect(outcome).toMatchObject({ status: 'completed', result: 'found' });
  expect(sent).toEqual(['{ "id": 7 }', '{"id":8}']);
});

test('digits that no JavaScript number holds are kept in a valid call; a call that also needs repair is rejected', async () => {
  const { tools, sent } = wireRegistry();
  await tools.call(call(`{"id":${longId}}`));
  const broken = await tools.call(call(`{"id":${longId},"lines":"[1]"}`));
  expect(broken.status).toBe('invalid_arguments');
  expect(sent).toEqual([`{"id":${longId}}`]);
});

test('a handler still refuses what its numbers cannot hold', async () => {
  const outcome = await new ToolRegistry().register(order).call(call(`{"id":${longId}}`));

  expect(outcome).toMatchObject({
    status: 'invalid_arguments',
    interpretation: { issues: [{ keyword: 'unsafe_number' }] },
  });
});

test('what an interceptor writes is validated and sent instead', async () => {
  const { tools, sent } = wireRegistry({ interceptors: [(_call, next) => next({ id: 9 })] });
  await tools.call(call(`{"id":${longId}}`));
  expect(sent).toEqual(['{"id":9}']);
});

test('an approved call leaves with the digits that were approved, and its meta arguments stay here', async () => {
  const { tools, sent } = wireRegistry({ approval: { needed: () => true }, meta: standardMetaArguments });
  const waiting = await tools.call(call(`{"id": ${longId}, "_rationale": "asked"}`));
  const approval: unknown = JSON.parse(JSON.stringify(Reflect.get(waiting, 'approval')));
  const outcome = await tools.resolveApproval(approval, { decision: 'approve' });
  expect(waiting.status).toBe('approval_required');
  expect(outcome).toMatchObject({ status: 'completed', interpretation: { meta: { rationale: 'asked' } } });
  expect(sent).toEqual([`{"id":${longId}}`]);
});

test('other digits than the approved ones are asked about again', async () => {
  const { tools, sent } = wireRegistry({ approval: { needed: () => true } });
  const waiting = await tools.call(call(`{"id":${longId}}`));
  const text = JSON.stringify(Reflect.get(waiting, 'approval')).replace(longId, '12345678901234567891');
  const forged: unknown = JSON.parse(text);
  const outcome = await tools.resolveApproval(forged, { decision: 'approve' });
  expect(outcome).toMatchObject({ status: 'approval_required', why: 'changed' });
  expect(sent).toEqual([]);
});

test('a tool that was taken away is unknown, and whoever looks on is told once of what changes together', async () => {
  const { tools } = wireRegistry();
  const clock = defineTool({
    name: 'clock',
    description: 'Time.',
    inputSchema: { type: 'object' },
    execute: () => 1,
  });
  const seen: string[][] = [];
  const stop = tools.onChange(() => seen.push(tools.names()));
  tools.register(clock).unregister('get_order', 'never_there');
  await Promise.resolve();
  tools.unregister('never_there');
  await Promise.resolve();
  stop();
  tools.unregister('clock');
  await Promise.resolve();
  expect(seen).toEqual([['clock']]);
  expect(await tools.call(call('{"id":1}'))).toMatchObject({ status: 'unknown_tool' });
});

test('a listener that throws keeps nobody else from being told', async () => {
  const { tools } = wireRegistry();
  const told = Promise.withResolvers<string>();
  tools.onChange(() => {
    throw new Error('mine');
  });
  tools.onChange(() => told.resolve('told'));
  tools.unregister('get_order');
  expect(await told.promise).toBe('told');
});
