// Calls that undo those of a run that has failed.
import { DefinitionError, defineTool, ToolRegistry, ToolRun } from 'toolmend';
import { callTo, thrower } from '../tools.ts';

let log: string[] = [];
beforeEach(() => {
  log = [];
});

const inputSchema = { type: 'object', properties: { n: { type: 'integer' } } } as const;
const book = (name: string) =>
  defineTool({
    name,
    description: 'Books.',
    inputSchema,
    execute: ({ n }) => {
      log.push(`${name} ${n}`);
      return { booking: `${name}-${n}` };
    },
    undo: ({ n }, result) =>
      n === 0
        ? undefined
        : { tool: 'cancel', arguments: { booking: Reflect.get(Object(result), 'booking') } },
  });
const cancel = defineTool({
  name: 'cancel',
  description: 'Cancels.',
  inputSchema: {
    type: 'object',
    properties: { booking: { type: 'string' } },
    required: ['booking'],
  },
  execute: ({ booking }) => void log.push(`cancel ${booking}`),
});
const noUndo = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema,
  execute: thrower(new Error('gone')),
});

const registry = () =>
  new ToolRegistry({ approval: { needed: () => false } }).register(
    book('flight'),
    book('hotel'),
    cancel,
    noUndo,
  );

it('offers them in reverse order, and runs each once it is approved', async () => {
  const tools = registry();
  const run = new ToolRun();
  await tools.call(callTo('flight', { n: '7' }, { id: 'call_1' }), { run });
  await tools.call(callTo('hotel', { n: 8 }, { id: 'call_2' }), { run });
  await tools.call(callTo('look', {}, { id: 'call_3' }), { run });
  await tools.call(callTo('hotel', { n: 'x' }, { id: 'call_4' }), { run });
  await tools.call(callTo('hotel', { n: 0 }, { id: 'call_5' }), { run });

  const offered = await tools.undo(run);

  expect(offered).toMatchObject([
    {
      status: 'approval_required',
      tool: 'cancel',
      call: { id: 'undo_call_2', arguments: { booking: 'hotel-8' } },
    },
    {
      status: 'approval_required',
      tool: 'cancel',
      call: { id: 'undo_call_1', arguments: { booking: 'flight-7' } },
    },
  ]);
  expect(log).toEqual(['flight 7', 'hotel 8', 'hotel 0']);
  const [first, second] = offered;
  if (first?.status !== 'approval_required' || second?.status !== 'approval_required')
    throw new Error('does not wait');
  await tools.resolveApproval(first.approval, { decision: 'approve' });
  await tools.resolveApproval(second.approval, { decision: 'deny' });
  expect(log.slice(3)).toEqual(['cancel hotel-8']);
  expect(await tools.undo(run)).toEqual([]);
});

it('includes calls that ran after an approval', async () => {
  const tools = registry();
  const run = new ToolRun();
  const waiting = await tools.call(callTo('flight', { n: 1 }), { approval: 'required', run });
  if (waiting.status !== 'approval_required') throw new Error(waiting.status);
  await tools.resolveApproval(waiting.approval, { decision: 'approve' }, { run });

  expect(await tools.undo(run)).toMatchObject([{ call: { arguments: { booking: 'flight-1' } } }]);
});

it('makes no call if an undo throws, and forgets none', async () => {
  const broken = defineTool({
    name: 'broken',
    description: 'Breaks.',
    inputSchema,
    execute: () => 'done',
    undo: thrower(new Error('no id')),
  });
  const tools = registry().register(broken);
  const run = new ToolRun();
  await tools.call(callTo('flight', { n: 1 }), { run });
  await tools.call(callTo('broken'), { run });

  await expect(tools.undo(run)).rejects.toThrow('no id');
  await expect(tools.undo(run)).rejects.toThrow('no id');
  expect(log).toEqual(['flight 1']);
});

it.each([
  ['the call of a provider', { name: 'cancel', arguments: {} }, 'something else than a call'],
  ['a call without arguments', { tool: 'cancel' }, 'something else than a call'],
  ['a promise', Promise.resolve(undefined), 'a promise'],
])('makes no call if an undo returns %s, and says what to return', async (_what, value, said) => {
  const wrong = defineTool({
    name: 'wrong',
    description: 'Undoes in another form.',
    inputSchema,
    execute: () => 'done',
    undo: () => Object(value),
  });
  const tools = registry().register(wrong);
  const run = new ToolRun();
  await tools.call(callTo('flight', { n: 1 }), { run });
  await tools.call(callTo('wrong', { n: 1 }), { run });

  const undone = tools.undo(run);

  await expect(undone).rejects.toThrow(DefinitionError);
  await expect(undone).rejects.toThrow(
    `wrong has an undo that returned ${said}: return { tool, arguments }, or undefined if there is nothing to undo.`,
  );
});

it('needs a registry with approvals', async () => {
  const tools = new ToolRegistry().register(cancel);

  await expect(tools.undo(new ToolRun())).rejects.toThrow(DefinitionError);
});
