// Counted per call, not per repaired place.
import type { ToolEvent, ToolListener } from './tool-event.ts';

/** Counts by model, then by tool. Without a prototype, so that any name is a name. */
export type RepairStatsSnapshot = ByName<ByName<ToolStats>>;

/** The calls of one model to one tool. */
export interface ToolStats {
  /** Calls that were valid as sent. */
  readonly unchanged: number;
  readonly repaired: number;
  readonly rejected: number;
  /** Calls that were not let in, whatever their arguments; one that was repaired before counts there too. */
  readonly refused: number;
  /** By rule id: calls in which the rule mended at least one place. */
  readonly rules: ByName<number>;
}

type ByName<Value> = Readonly<Record<string, Value>>;

interface Counts {
  unchanged: number;
  repaired: number;
  rejected: number;
  refused: number;
  readonly rules: Map<string, number>;
}

const unknownModel = '(unknown model)';
const unknownTool = '(unknown tool)';

/** A listener that counts. Give it to a registry, or to several, and read `snapshot()` at any time. */
export class RepairStats implements ToolListener {
  readonly #counts = new Map<string, Map<string, Counts>>();

  onEvent(event: ToolEvent): void {
    if (!isCounted(event)) return;
    const counts = this.#countsOf(event.model ?? unknownModel, event.tool ?? unknownTool);
    switch (event.type) {
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
        // A call that waits is counted when it is decided.
        counts.unchanged += event.input === 'unchanged' && event.status !== 'approval_required' ? 1 : 0;
        break;
      case 'tool_input_repaired':
        counts.repaired += 1;
        for (const rule of new Set(event.repairs.map((repair) => repair.rule))) {
          counts.rules.set(rule, (counts.rules.get(rule) ?? 0) + 1);
        }
    }
  }

  /**
   * The counts until now: a frozen copy with sorted names, ready for JSON. Calls that name no model stand
   * under `(unknown model)`, calls to tools that don't exist under `(unknown tool)`.
   */
  snapshot(): RepairStatsSnapshot {
    return frozenRecord(this.#counts, (tools) => frozenRecord(tools, toolStatsOf));
  }

  #countsOf(model: string, tool: string): Counts {
    const tools = this.#counts.get(model) ?? new Map<string, Counts>();
    this.#counts.set(model, tools);
    const counts = tools.get(tool) ?? noCalls();
    tools.set(tool, counts);
    return counts;
  }
}

const noCalls = (): Counts => ({
  unchanged: 0,
  repaired: 0,
  rejected: 0,
  refused: 0,
  rules: new Map(),
});

type CountedEvent = Extract<ToolEvent, { type: (typeof countedEvents)[number] }>;

const countedEvents = [
  'tool_input_repaired',
  'tool_input_invalid',
  'tool_call_refused',
  'tool_executed',
  'tool_withheld',
] as const;

const isCounted = (event: ToolEvent): event is CountedEvent =>
  countedEvents.some((type) => type === event.type);

const toolStatsOf = ({ rules, ...calls }: Counts): ToolStats =>
  Object.freeze({ ...calls, rules: frozenRecord(rules, (count) => count) });

function frozenRecord<From, To>(map: ReadonlyMap<string, From>, toValue: (from: From) => To): ByName<To> {
  const entries = [...map].toSorted(([left], [right]) => (left < right ? -1 : 1));
  const record = Object.fromEntries(entries.map(([name, from]) => [name, toValue(from)] as const));
  Reflect.setPrototypeOf(record, null);
  return Object.freeze(record);
}
