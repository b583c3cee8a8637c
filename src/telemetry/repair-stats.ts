import { type OptionKinds, checkOptions, oneOfWords } from '../options/check-options.ts';
import type { RepairedPlace, ToolEvent, ToolListener } from './tool-event.ts';

/**
 * Counts of calls by model (or by tenant, or label), then by tool. Objects without a prototype, so
 * that any name is safe.
 */
export type RepairStatsSnapshot = ByName<ByName<ToolStats>>;

/** The calls of one model to one tool. */
export interface ToolStats {
  /** Calls that were valid as sent. */
  readonly unchanged: number;
  readonly repaired: number;
  readonly rejected: number;
  /** Calls that a limit kept from running. A call that was repaired before is counted there too. */
  readonly refused: number;
  /** By rule id: calls in which the rule repaired at least one location. */
  readonly rules: ByName<number>;
}

type ByName<Value> = Readonly<Record<string, Value>>;

type Counts = { -readonly [Count in keyof Omit<ToolStats, 'rules'>]: number } & {
  readonly rules: Map<string, number>;
};

const unknownTool = '(unknown tool)';

/** The options of `new RepairStats`. */
export interface RepairStatsOptions {
  /**
   * By what calls are counted, before their tools. `tenant`: that of the call's options. `label`:
   * that of its `ToolRun`. Default: `model`.
   */
  readonly by?: 'model' | 'tenant' | 'label';
}

const optionKinds: OptionKinds<RepairStatsOptions> = { by: oneOfWords('model', 'tenant', 'label') };

/**
 * A listener that counts calls, not repaired locations. Pass it to one or more registries, and read
 * `snapshot()` at any time.
 */
export class RepairStats implements ToolListener {
  readonly #by: NonNullable<RepairStatsOptions['by']>;
  readonly #counts = new Map<string, Map<string, Counts>>();

  /** Throws a DefinitionError for an unknown option. */
  constructor(options: RepairStatsOptions = {}) {
    checkOptions('RepairStats', options, optionKinds);
    this.#by = options.by ?? 'model';
  }

  onEvent(event: ToolEvent): void {
    if (!('callId' in event) || event.type === 'tool_ended_late') return;
    // A call that asks is counted when it ends.
    if (event.type === 'tool_question_asked') return;
    const counts = this.#countsOf(
      event[this.#by] ?? `(unknown ${this.#by})`,
      event.tool ?? unknownTool,
    );
    switch (event.type) {
      case 'tool_call_interpreted':
        counts[event.input] += 1;
        countRules(counts, event.repairs);
        break;
      case 'tool_input_invalid':
        counts.rejected += 1;
        break;
      case 'tool_call_refused':
        counts.refused += 1;
        break;
      case 'tool_executed':
        counts.unchanged += event.input === 'unchanged' ? 1 : 0;
        break;
      case 'tool_withheld':
        // A call that requires approval is counted when the approval is resolved.
        counts.unchanged +=
          event.input === 'unchanged' && event.status !== 'approval_required' ? 1 : 0;
        break;
      case 'tool_input_repaired':
        counts.repaired += 1;
        countRules(counts, event.repairs);
    }
  }

  /**
   * A frozen copy of the counts, with sorted names, ready for JSON. Calls without a model are under
   * `(unknown model)`, calls to unknown tools under `(unknown tool)`.
   */
  snapshot(): RepairStatsSnapshot {
    return frozenRecord(this.#counts, (tools) => frozenRecord(tools, toolStatsOf));
  }

  #countsOf(model: string, tool: string): Counts {
    const tools = this.#counts.get(model) ?? new Map<string, Counts>();
    this.#counts.set(model, tools);
    const none = { unchanged: 0, repaired: 0, rejected: 0, refused: 0 };
    const counts = tools.get(tool) ?? { ...none, rules: new Map() };
    tools.set(tool, counts);
    return counts;
  }
}

function countRules({ rules }: Counts, repairs: readonly RepairedPlace[]): void {
  for (const rule of new Set(repairs.map((repair) => repair.rule)))
    rules.set(rule, (rules.get(rule) ?? 0) + 1);
}

const toolStatsOf = ({ rules, ...calls }: Counts): ToolStats =>
  Object.freeze({ ...calls, rules: frozenRecord(rules, (count) => count) });

function frozenRecord<From, To>(
  map: ReadonlyMap<string, From>,
  toValue: (value: From) => To,
): ByName<To> {
  const entries = [...map].toSorted(([left], [right]) => (left < right ? -1 : 1));
  const record = Object.fromEntries(
    entries.map(([name, value]) => [name, toValue(value)] as const),
  );
  Reflect.setPrototypeOf(record, null);
  return Object.freeze(record);
}
