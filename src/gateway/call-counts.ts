// Counts what became of calls, by model and tool.

/** The rule of arguments that were written by the schema of a provider, as they should be. */
export const providerRule = 'provider_schema';

/** One call, as it is counted. */
export interface CountedCall {
  readonly tool: string;
  readonly status: string;
  /** The rules that repaired it. */
  readonly rules: readonly string[];
  /** Kinds of issues, if it was rejected. */
  readonly issues: readonly string[];
}

type Counts = Readonly<Record<string, number>>;

/** The counts of one model. */
export interface ModelCounts {
  readonly model: string;
  /** Answers with at least one call. */
  readonly answers: number;
  /** Answers in which every wrong call was repaired: the model did not have to be asked again. */
  readonly savedTurns: number;
  /** Valid calls of strict tools: a server with a grammar has made them valid. */
  readonly strictCalls: number;
  /** Answers whose last call was right because the model was asked again. */
  readonly retriedTurns: number;
  readonly calls: number;
  readonly tools: readonly ToolCounts[];
}

export interface ToolCounts {
  readonly tool: string;
  readonly calls: number;
  /**
   * Calls by status: `unchanged`, `repaired`, `rejected`, `unknown_tool`, `unchecked`, `recovered`,
   * `server_error`, `left_in_text`.
   */
  readonly statuses: Counts;
  /** Calls in which a rule repaired something. */
  readonly rules: Counts;
  readonly issues: Counts;
}

interface MutableTool {
  calls: number;
  readonly statuses: Map<string, number>;
  readonly rules: Map<string, number>;
  readonly issues: Map<string, number>;
}

interface MutableModel {
  answers: number;
  savedTurns: number;
  strictCalls: number;
  retriedTurns: number;
  readonly tools: Map<string, MutableTool>;
}

/** How an exchange came to its calls. */
export interface CountedExchange {
  /** The server was told to constrain the arguments. */
  readonly isStrict: boolean;
  /** How often the model was asked again. */
  readonly retries: number;
}

/**
 * Names are the client's and the model's: beyond this many of a kind, they are counted together.
 */
const maxNames = 500;
const otherName = '(other)';

export class CallCounts {
  readonly #models = new Map<string, MutableModel>();

  /** Adds the calls of one exchange, in their order. */
  add(
    model: string | undefined,
    checkedCalls: readonly CountedCall[],
    { isStrict, retries }: CountedExchange,
  ): void {
    if (checkedCalls.length === 0) return;
    const calls = checkedCalls.map(withoutProviderRule);
    const counts = entryOf(this.#models, model ?? '(unknown model)', newModel);
    counts.answers += 1;
    const statuses = new Set(calls.map(({ status }) => status));
    const isSaved =
      (statuses.has('repaired') || statuses.has('recovered')) &&
      !['rejected', 'unknown_tool', 'server_error'].some((status) => statuses.has(status));
    if (isSaved) counts.savedTurns += 1;
    if (isStrict) counts.strictCalls += calls.filter(({ status }) => status === 'unchanged').length;
    const lastStatus = calls.at(-1)?.status ?? '';
    if (retries > 0 && ['unchanged', 'repaired'].includes(lastStatus)) counts.retriedTurns += 1;
    for (const call of calls) {
      const tool = entryOf(counts.tools, call.tool, newTool);
      tool.calls += 1;
      count(tool.statuses, call.status);
      for (const rule of new Set(call.rules)) count(tool.rules, rule);
      for (const issue of new Set(call.issues)) count(tool.issues, issue);
    }
  }

  /** Sorted by the number of calls. */
  snapshot(): readonly ModelCounts[] {
    return Array.from(this.#models, ([model, { tools, ...counts }]): ModelCounts => {
      const sortedTools = Array.from(
        tools,
        ([tool, { calls, statuses, rules, issues }]): ToolCounts => ({
          tool,
          calls,
          statuses: Object.fromEntries(statuses),
          rules: Object.fromEntries(rules),
          issues: Object.fromEntries(issues),
        }),
      ).toSorted((one, other) => other.calls - one.calls);
      return {
        model,
        ...counts,
        calls: sumOf(sortedTools.map(({ calls }) => calls)),
        tools: sortedTools,
      };
    }).toSorted((one, other) => other.calls - one.calls);
  }
}

/** What the gateway itself asked for is not a mistake of the model. */
function withoutProviderRule(call: CountedCall): CountedCall {
  if (!call.rules.includes(providerRule)) return call;
  const rules = call.rules.filter((rule) => rule !== providerRule);
  return { ...call, rules, status: rules.length === 0 ? 'unchanged' : call.status };
}

const newModel = (): MutableModel => ({
  answers: 0,
  savedTurns: 0,
  strictCalls: 0,
  retriedTurns: 0,
  tools: new Map(),
});

const newTool = (): MutableTool => ({
  calls: 0,
  statuses: new Map(),
  rules: new Map(),
  issues: new Map(),
});

function entryOf<Entry>(entries: Map<string, Entry>, name: string, make: () => Entry): Entry {
  const knownEntry = entries.get(name);
  if (knownEntry !== undefined) return knownEntry;
  const key = entries.size < maxNames ? name.slice(0, 200) : otherName;
  const entry = entries.get(key) ?? make();
  entries.set(key, entry);
  return entry;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

export const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0);

/** The counts of all tools of a model together. */
export const totalOf = (
  tools: readonly ToolCounts[],
  kind: 'statuses' | 'rules' | 'issues',
): ReadonlyMap<string, number> => {
  const total = new Map<string, number>();
  for (const tool of tools)
    for (const [name, number] of Object.entries(tool[kind]))
      total.set(name, (total.get(name) ?? 0) + number);
  return new Map([...total].toSorted(([, one], [, other]) => other - one));
};
