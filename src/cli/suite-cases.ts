import { firstDifference } from '../json/pointers.ts';
import { objectAt, textAt } from '../json/members.ts';
import type { NumberLiterals } from '../json/number-literals.ts';
import { parseJson } from '../json/parse.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import { defined, objectOf, ownValue } from '../collections/objects.ts';

/** What a library has to understand to get a case right, as suite/README.md says. */
export const suiteLevels = [
  'json',
  'types',
  'keys',
  'structure',
  'notations',
  'text',
  'danger',
] as const;

export type SuiteLevel = (typeof suiteLevels)[number];

/** A case, as far as it is judged. */
export interface SuiteCase {
  readonly id: string;
  readonly level: SuiteLevel;
  /** The arguments that the tool must get. undefined: the call must be refused. */
  readonly acceptedValue: JsonValue | undefined;
  /** Keys whose strings are compared as the JSON that they hold. */
  readonly jsonTextKeys: ReadonlySet<string>;
  /** What the runner is asked, but for its number. */
  readonly question: JsonObject;
  /** The digits of its numbers. */
  readonly numbers: NumberLiterals;
}

/** `skipped`: the runner has nothing for such cases. */
export type SuiteVerdict = 'right' | 'missed' | 'wrong' | 'skipped';

export const isLevel = (name: string | undefined): name is SuiteLevel =>
  suiteLevels.some((level) => level === name);

/** Reads a line of the suite. undefined: it is no case. */
export function readSuiteCase(line: string): SuiteCase | undefined {
  const reading = parseJson(line);
  if (reading.kind !== 'read' || !isJsonObject(reading.value)) return undefined;
  const { value: record, numbers } = reading;
  const id = textAt(record, 'id');
  const level = textAt(record, 'level');
  const tool = objectAt(record, 'tool');
  const sentParts = objectAt(record, 'sent');
  const acceptedValue = ownValue(record, 'accept');
  const isRefused = ownValue(record, 'refuse') === true;
  if (id === undefined || !isLevel(level) || tool === undefined || sentParts === undefined)
    return undefined;
  if ((acceptedValue === undefined) !== isRefused) return undefined;
  const finishReason = textAt(record, 'finishReason');
  const keys = ownValue(record, 'jsonText');
  return {
    id,
    level,
    acceptedValue,
    jsonTextKeys: new Set(isJsonArray(keys) ? keys.map(String) : []),
    question: { tool, sent: sentParts, ...defined({ finishReason }) },
    numbers,
  };
}

/** Judges the answer of a runner. */
export function suiteVerdict(one: SuiteCase, answer: JsonObject): SuiteVerdict {
  if (Object.hasOwn(answer, 'skip')) return 'skipped';
  const value = ownValue(answer, 'accept');
  if (value === undefined) return one.acceptedValue === undefined ? 'right' : 'missed';
  if (one.acceptedValue === undefined) return 'wrong';
  const difference = firstDifference(comparable(one.acceptedValue, one), comparable(value, one));
  return difference === undefined ? 'right' : 'wrong';
}

function comparable(value: JsonValue, { jsonTextKeys }: SuiteCase): JsonValue {
  if (jsonTextKeys.size === 0 || !isJsonObject(value)) return value;
  return objectOf(
    Object.entries(value).map(([key, member]) => {
      const reading =
        jsonTextKeys.has(key) && typeof member === 'string' ? parseJson(member, 64) : undefined;
      return [key, reading?.kind === 'read' ? reading.value : member] as const;
    }),
  );
}

type VerdictCounts = Record<SuiteVerdict, number>;

export interface SuiteReport {
  readonly total: Readonly<VerdictCounts>;
  readonly levels: { readonly [level in SuiteLevel]?: Readonly<VerdictCounts> };
  /** Ids of cases. */
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

export class SuiteCounts {
  readonly #verdicts: { readonly one: SuiteCase; readonly verdict: SuiteVerdict }[] = [];

  add(one: SuiteCase, verdict: SuiteVerdict): void {
    this.#verdicts.push({ one, verdict });
  }

  report(): SuiteReport {
    const of = (verdicts: readonly { readonly verdict: SuiteVerdict }[]): VerdictCounts => {
      const counts: VerdictCounts = { right: 0, missed: 0, wrong: 0, skipped: 0 };
      for (const { verdict } of verdicts) counts[verdict] += 1;
      return counts;
    };
    const idsOf = (wantedVerdict: SuiteVerdict): readonly string[] =>
      this.#verdicts.flatMap(({ one, verdict }) => (verdict === wantedVerdict ? one.id : []));
    const byLevel = Map.groupBy(this.#verdicts, ({ one }) => one.level);
    const levels = suiteLevels.flatMap((level) => {
      const verdicts = byLevel.get(level);
      return verdicts === undefined ? [] : [[level, of(verdicts)] as const];
    });
    return {
      total: of(this.#verdicts),
      levels: Object.fromEntries(levels),
      missed: idsOf('missed'),
      wrong: idsOf('wrong'),
    };
  }
}
