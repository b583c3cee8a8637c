// What holds for every change of an approval and every order of decisions, in each store.
import {
  type ApprovalDecision,
  type JsonObject,
  type JsonValue,
  type PendingApproval,
  RecordError,
  standardMetaArguments,
  type ToolOutcome,
  ToolRegistry,
} from 'toolmend';
import type { Journal } from 'toolmend/journal';
import { fc } from '../seeded-fast-check.ts';
import { callTo, toolOf } from '../tools.ts';

interface Ran {
  readonly tool: string;
  readonly values: JsonObject;
}

const inputSchema = {
  type: 'object',
  properties: {
    payment: { type: 'string' },
    amount: { type: 'integer' },
    lines: { type: 'array', items: { type: 'object' } },
  },
  required: ['payment', 'amount'],
} as const;
const values = { payment: 'p1', amount: 250, lines: [{ sku: 'a', count: 2 }] };
const sent = { ...values, amount: '250', _rationale: 'the parcel is lost' };
const tenant = 'acme';
const context = { user: 'ann' };

function registryOf(journal: Journal | undefined) {
  const ran: Ran[] = [];
  const approval = {
    expiresAfter: 60 * 60_000,
    scope: ({ user }: Readonly<Record<string, unknown>>) => String(user),
  };
  const options = { approval, meta: standardMetaArguments };
  const tools = new ToolRegistry(journal === undefined ? options : { ...options, journal });
  const run = (tool: string) => (given: JsonObject) => {
    ran.push({ tool, values: given });
    return `${tool} is done`;
  };
  tools.register(
    toolOf(run('refund'), { name: 'refund', effects: 'destructive', inputSchema }),
    toolOf(run('drop_table'), { name: 'drop_table', effects: 'destructive' }),
  );
  const ask = () =>
    tools.call(callTo('refund', sent), { tenant, context, conversation: crypto.randomUUID() });
  return { tools, ran, ask };
}

function approvalIn(outcome: ToolOutcome): PendingApproval {
  if (outcome.status !== 'approval_required') throw new Error(`is ${outcome.status}`);
  return JSON.parse(JSON.stringify(outcome.approval));
}

type Path = readonly (string | number)[];

/** The paths of all members and elements, the whole first. */
const pathsIn = (tree: unknown, path: Path = []): readonly Path[] => [
  path,
  ...(typeof tree === 'object' && tree !== null
    ? Object.entries(tree).flatMap(([key, member]) => pathsIn(member, [...path, key]))
    : []),
];

/** The tree with another value at a path; undefined removes the member. */
function changedAt(tree: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(tree)) {
    const at = Number(key);
    return value === undefined && rest.length === 0
      ? tree.toSpliced(at, 1)
      : tree.with(at, changedAt(tree[at], rest, value));
  }
  const members = Object.entries(Object(tree)).flatMap(([name, member]) => {
    if (name !== key) return [[name, member] as const];
    const changed = changedAt(member, rest, value);
    return changed === undefined ? [] : [[name, changed] as const];
  });
  return Object.fromEntries(members);
}

interface Change {
  /** Which of the paths, from the first one on again after the last. */
  readonly where: number;
  readonly value: JsonValue | undefined;
  readonly added: readonly [string, JsonValue] | undefined;
}

const stolen = [
  'drop_table',
  'mallory',
  '{"table":"customers"}',
  '{"payment":"mallory","amount":1}',
  '2999-01-01T00:00:00.000Z',
  '2000-01-01T00:00:00.000Z',
  null,
  {},
  [],
];
const anyValue = fc.oneof(fc.constantFrom<JsonValue[]>(...stolen), jsonValues());
const change: fc.Arbitrary<Change> = fc.record({
  where: fc.nat({ max: 999 }),
  value: fc.option(anyValue, { nil: undefined }),
  added: fc.option(
    fc.tuple(fc.constantFrom('__proto__', 'arguments', 'nonce', 'x', 'scope'), anyValue),
    { nil: undefined },
  ),
});

function jsonValues(): fc.Arbitrary<JsonValue> {
  return fc.jsonValue().map((value): JsonValue => JSON.parse(JSON.stringify(value)));
}

function changedBy(approval: PendingApproval, { where, value, added }: Change): unknown {
  const paths = pathsIn(approval);
  const path = paths[where % paths.length] ?? [];
  const changed: unknown = structuredClone(changedAt(approval, path, value));
  if (added === undefined) return changed;
  const [key, member] = added;
  return typeof changed === 'object' && changed !== null && !Array.isArray(changed)
    ? Object.defineProperty(changed, key, { value: member, enumerable: true })
    : changed;
}

const isSameJson = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const valid = { payment: 'p1', amount: 5 };
const decisions: readonly ApprovalDecision[] = [
  { decision: 'approve' },
  { decision: 'deny' },
  { decision: 'approve', arguments: valid },
  { decision: 'approve', arguments: { payment: 'p1', amount: 'much' } },
];

type Step =
  | { readonly kind: 'changed'; readonly change: Change; readonly decision: ApprovalDecision }
  | { readonly kind: 'true'; readonly by: 'id' | 'whole'; readonly decision: ApprovalDecision }
  | { readonly kind: 'foreign'; readonly decision: ApprovalDecision };

const decision = fc.constantFrom(...decisions);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('changed' as const), change, decision }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('true' as const),
      by: fc.constantFrom('id' as const, 'whole' as const),
      decision,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('foreign' as const), decision }) },
);

export function testChangedApprovals(open: () => Journal | undefined): void {
  test('no change of an approval runs anything, decides anything or makes another approval', async () => {
    const { tools, ran, ask } = registryOf(open());
    const approval = approvalIn(await ask());
    const options = { tenant, context };
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(change, decision, async (one, decided) => {
        const changed = changedBy(approval, one);
        fc.pre(!isSameJson(changed, approval) && changed !== approval.id);
        const outcome = await tools.resolveApproval(changed, decided, options).catch(errorOf);
        refused += outcome instanceof RecordError ? 1 : 0;
        if (!(outcome instanceof RecordError)) {
          expect(outcome).toMatchObject({ status: 'approval_required', why: 'changed' });
          expect(approvalIn(outcome)).toEqual(approval);
        }
        expect(ran).toEqual([]);
      }),
    );
    expect(refused).toBeGreaterThan(0);
    const approve = { decision: 'approve' } as const;
    expect((await tools.resolveApproval(approval, approve, options)).status).toBe('completed');
    expect(ran).toEqual([{ tool: 'refund', values }]);
  });

  test('in any order of decisions at once or one by one, one counts, and it runs the stored call', async () => {
    const { tools, ran, ask } = registryOf(open());
    const options = { tenant, context };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.boolean(), async (steps, atOnce) => {
        ran.splice(0);
        const approval = approvalIn(await ask());
        const take = async (one: Step): Promise<string> => {
          const given = one.kind === 'changed' ? changedBy(approval, one.change) : approval;
          if (one.kind === 'changed' && isSameJson(given, approval)) return 'unchanged';
          const data = one.kind === 'true' && one.by === 'id' ? approval.id : given;
          const other = one.kind === 'foreign' ? { tenant: 'other', context } : options;
          const outcome = await tools.resolveApproval(data, one.decision, other).catch(errorOf);
          if (outcome instanceof RecordError) return 'error';
          if (outcome.status === 'approval_required') expect(outcome.approval).toEqual(approval);
          return outcome.status === 'denied' ? outcome.by : outcome.status;
        };
        const results: string[] = [];
        if (atOnce) results.push(...(await Promise.all(steps.map(take))));
        else for (const one of steps) results.push(await take(one));
        const decided = results.filter((one) => one === 'completed' || one === 'approver');
        const isOnly = steps.every((one, at) => results[at] !== 'completed' || one.kind === 'true');
        expect([decided.length <= 1, isOnly]).toEqual([true, true]);
        expect(ran).toHaveLength(decided.filter((one) => one === 'completed').length);
        for (const one of ran) expect([{ tool: 'refund', values }, edited]).toContainEqual(one);
      }),
    );
  });
}

const edited: Ran = { tool: 'refund', values: valid };

function errorOf(error: unknown): RecordError {
  if (error instanceof RecordError) return error;
  throw error;
}
