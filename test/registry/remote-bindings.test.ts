import { type RegistryOptions, standardMetaArguments, ToolRegistry } from 'toolmend';
import { closedOf, listOf, whole } from '../schemas.ts';
import { callOf, thrower, toolOf } from '../tools.ts';

const inputSchema = closedOf({ id: whole, lines: listOf(whole) }, ['id']);
const order = toolOf(() => 'never', { inputSchema });

/** Has more digits than a JavaScript number. */
const longId = '12345678901234567890';
const call = (text: unknown) => callOf({ arguments: text });

/** A registry with a tool that is somewhere else, and what is sent there. */
function wireRegistry(options: RegistryOptions = {}) {
  const sent: string[] = [];
  const send = (text: string) => `found ${sent.push(text)}`;
  const contract = { ...order, binding: { kind: 'remote', send } } as const;
  return { tools: new ToolRegistry(options).register(contract), sent };
}

test('valid text is sent as it came, a value as its JSON', async () => {
  const { tools, sent } = wireRegistry();
  const outcome = await tools.call(call('{ "id": 7 }'));
  await tools.call(call({ id: 8 }));
  expect(outcome).toMatchObject({ status: 'completed', result: 'found 1' });
  expect(sent).toEqual(['{ "id": 7 }', '{"id":8}']);
});

test('a valid call keeps digits that no number holds; it is rejected if it also needs repair, or has a handler', async () => {
  const { tools, sent } = wireRegistry();
  await tools.call(call(`{"id":${longId}}`));
  const broken = await tools.call(call(`{"id":${longId},"lines":"[1]"}`));
  const handled = await new ToolRegistry().register(order).call(call(`{"id":${longId}}`));
  expect(sent).toEqual([`{"id":${longId}}`]);
  expect(broken.status).toBe('invalid_arguments');
  expect(handled).toMatchObject({ interpretation: { issues: [{ keyword: 'unsafe_number' }] } });
});

test('edits of an interceptor are sent instead', async () => {
  const { tools, sent } = wireRegistry({ interceptors: [(_call, next) => next({ id: 9 })] });
  await tools.call(call(`{"id":${longId}}`));
  expect(sent).toEqual(['{"id":9}']);
});

test('an approved call is sent with the approved digits only, without its meta arguments', async () => {
  const { tools, sent } = wireRegistry({
    approval: { needed: () => true },
    meta: standardMetaArguments,
  });
  const waiting = await tools.call(call(`{"id": ${longId}, "_rationale": "asked"}`));
  const text = JSON.stringify(Reflect.get(waiting, 'approval'));
  const decide = (approval: string) =>
    tools.resolveApproval(JSON.parse(approval), { decision: 'approve' });
  const forged = await decide(text.replace(longId, '12345678901234567891'));
  expect(forged).toMatchObject({ status: 'approval_required', why: 'changed' });
  expect(sent).toEqual([]);
  expect(await decide(text)).toMatchObject({ interpretation: { meta: { rationale: 'asked' } } });
  expect(sent).toEqual([`{"id":${longId}}`]);
});

test('a tool that is unregistered is unknown; changes of one turn are reported once, until the listener stops', async () => {
  const { tools } = wireRegistry();
  const seen: string[][] = [];
  const stop = tools.onChange(() => seen.push(tools.names()));
  tools.register(toolOf(() => 1, { name: 'clock' })).unregister('work', 'never_there');
  await Promise.resolve();
  tools.unregister('never_there');
  await Promise.resolve();
  stop();
  tools.unregister('clock');
  await Promise.resolve();
  expect(seen).toEqual([['clock']]);
  expect(await tools.call(call('{"id":1}'))).toMatchObject({ status: 'unknown_tool' });
});

test('a change listener that throws does not keep others from being called', async () => {
  const { tools } = wireRegistry();
  const told = Promise.withResolvers<string>();
  tools.onChange(thrower(new Error('mine')));
  tools.onChange(() => told.resolve('told'));
  tools.unregister('work');
  expect(await told.promise).toBe('told');
});
