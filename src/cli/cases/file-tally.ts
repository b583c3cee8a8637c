// What became of the calls of one file, in numbers and places? No value of a call is kept.
import type { Interpretation } from '../../interpret/interpretation.ts';
import { type KnownNames, shownPointer } from './known-names.ts';
import type { Verdict } from './judge-record.ts';

/** A line worth looking at: its number, the call's id, and what is said of it. */
export interface NotedLine {
  readonly line: number;
  readonly id: string | undefined;
  readonly what: string;
}

export interface RuleCount {
  /** Calls that the rule acted on. */
  calls: number;
  repairs: number;
  /** Calls of those that came out wrong. */
  wrong: number;
}

/** Where a call stands, and which of its names may be shown. */
export interface CallPlace {
  readonly line: number;
  readonly id: string | undefined;
  readonly names: KnownNames;
}

/** Lines that are named; the others are counted. */
const mostNoted = 100;

export class FileTally {
  readonly file: string;
  /** Lines that describe a tool, or a conversation, without any call. */
  withoutCall = 0;
  unknownTools = 0;
  bad = 0;
  warnings = 0;
  readonly outcomes = { unchanged: 0, repaired: 0, rejected: 0 };
  /** `refused` is the part of `right` that had to be rejected. */
  readonly verdicts = { right: 0, refused: 0, missed: 0, wrong: 0 };
  readonly rules = new Map<string, RuleCount>();
  /** Rejected calls by the keyword of their first issue. */
  readonly rejections = new Map<string, number>();
  readonly badLines: NotedLine[] = [];
  readonly warningLines: NotedLine[] = [];
  readonly wrongLines: NotedLine[] = [];
  readonly missedLines: NotedLine[] = [];
  /** Of calls that nothing is expected of. */
  readonly repairedLines: NotedLine[] = [];
  readonly rejectedLines: NotedLine[] = [];
  readonly unjudged = { repaired: 0, rejected: 0 };

  constructor(file: string) {
    this.file = file;
  }

  get calls(): number {
    const { unchanged, repaired, rejected } = this.outcomes;
    return unchanged + repaired + rejected;
  }

  get judged(): number {
    const { right, missed, wrong } = this.verdicts;
    return right + missed + wrong;
  }

  /** The schema of a call can't be used, or not in full. */
  addWarning(line: number, what: string): void {
    this.warnings += 1;
    note(this.warningLines, { line, id: undefined }, what);
  }

  addBad(line: number, why: string): void {
    this.bad += 1;
    note(this.badLines, { line, id: undefined }, why);
  }

  addCall(
    place: CallPlace,
    result: Interpretation,
    { verdict, isRenamed }: { readonly verdict: Verdict | undefined; readonly isRenamed: boolean },
  ): void {
    this.outcomes[result.outcome] += 1;
    if (verdict !== undefined) this.#addVerdict(place, result, verdict);
    else if (result.outcome === 'repaired') {
      this.unjudged.repaired += 1;
      const what = result.repairs.map(({ rule, path }) => `${rule}${at(path, place)}`).join(', ');
      note(this.repairedLines, place, what);
    }
    const acted = [...result.repairs.map(({ rule }) => rule), ...(isRenamed ? ['tool_name'] : [])];
    for (const rule of acted) this.#rule(rule).repairs += 1;
    for (const rule of new Set(acted)) {
      this.#rule(rule).calls += 1;
      if (verdict?.kind === 'wrong') this.#rule(rule).wrong += 1;
    }
    if (result.outcome === 'rejected') this.#addRejection(place, result, verdict);
  }

  #addVerdict(place: CallPlace, { outcome }: Interpretation, verdict: Verdict): void {
    this.verdicts[verdict.kind] += 1;
    if (verdict.kind === 'right' && outcome === 'rejected') this.verdicts.refused += 1;
    if (verdict.kind === 'wrong') note(this.wrongLines, place, shownPointer(verdict.path, place.names));
  }

  #addRejection(place: CallPlace, { issues: [first] }: Interpretation, verdict: Verdict | undefined): void {
    const keyword = first?.keyword ?? 'unknown';
    this.rejections.set(keyword, (this.rejections.get(keyword) ?? 0) + 1);
    const what = `${keyword}${at(first?.path ?? '', place)}`;
    if (verdict === undefined) {
      this.unjudged.rejected += 1;
      note(this.rejectedLines, place, what);
    }
    if (verdict?.kind === 'missed') note(this.missedLines, place, what);
  }

  #rule(rule: string): RuleCount {
    const count = this.rules.get(rule) ?? { calls: 0, repairs: 0, wrong: 0 };
    this.rules.set(rule, count);
    return count;
  }
}

const at = (path: string, { names }: CallPlace): string =>
  path === '' ? '' : ` at ${shownPointer(path, names)}`;

function note(lines: NotedLine[], { line, id }: Omit<NotedLine, 'what'>, what: string): void {
  if (lines.length < mostNoted) lines.push({ line, id, what });
}
