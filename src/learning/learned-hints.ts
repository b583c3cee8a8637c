import { setNewest } from '../collections/bounded-map.ts';
import { memoize } from '../collections/memoize.ts';
import { type HintOptions, toolDescription } from '../messages/describe-tool.ts';
import type { HintedMiss } from '../messages/miss-sentences.ts';
import { contractDigest, digestOf } from '../outcomes/digests.ts';
import {
  type AddedCounts,
  type HintCell,
  type HintChange,
  type HintCount,
  type HintCounts,
  cellKey,
  noCounts,
  sumOfCounts,
} from '../store/hint-counts.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { isSameMiss } from './field-misses.ts';
import { type LearnedHint, hiddenArm, isOn, learnedHints, shownArm } from './hint-report.ts';
import { judgedTrial } from './hint-trial.ts';

/** The share of conversations that see learned hints; the others are compared with them. */
const shownShare = 0.8;
/** Calls after which the counts are written, and milliseconds: at least, and at most. */
const mostPendingCalls = 25;
/** Pairs of a tool and a model that are tallied before they are summed up. */
const mostTallies = 1_000;
const shortestPendingMs = 2_000;
const longestPendingMs = 10_000;
/** Rows of counts. Further places are not counted. */
const mostRows = 5_000;
/** Conversations whose hints are remembered, so that descriptions don't change in their midst. */
const mostConversations = 10_000;

/** What the descriptions of one conversation say beside the fixed hints. Never changes. */
export interface ConversationHints {
  readonly missesOf: (contract: ToolContract) => readonly HintedMiss[];
}

/** A call that was interpreted. */
export interface CountedCall {
  readonly contract: ToolContract;
  readonly model: string | undefined;
  readonly misses: readonly HintedMiss[];
  /** Undefined: its conversation is unknown, or saw no learned hints. */
  readonly shownHints: ConversationHints | undefined;
}

/** `report`: counts, and shows no hint. `on`: shows hints, too. */
export type LearningMode = 'report' | 'on';

export interface LearnedHintsOptions extends HintOptions {
  readonly mode: LearningMode;
  readonly counts: HintCounts;
}

/** What was counted of one model and one tool since the last sum. */
class Tally {
  calls = 0;
  readonly counts = new Map<HintedMiss, MutableCounts>();

  countsOf(miss: HintedMiss): MutableCounts {
    const counts = this.counts.get(miss) ?? { ...noCounts };
    this.counts.set(miss, counts);
    return counts;
  }
}

type MutableCounts = { -readonly [Name in keyof AddedCounts]: AddedCounts[Name] };

/**
 * Counts what models get wrong, and puts a sentence into the description of a tool if a model often
 * gets the same wrong in it. Nothing of it waits for the counts' store, or fails because of it.
 */
export class LearnedHints {
  readonly #options: LearnedHintsOptions;
  readonly #conversations = new Map<string, ConversationHints>();
  #rows: ReadonlyMap<string, HintCount> = new Map();
  #pending = new Map<string, HintChange>();
  /** A digest of a definition takes longer than a first call, so the sum waits. */
  #tallies = new Map<ToolContract, Map<string, Tally>>();
  #tallyCount = 0;
  #pendingCalls = 0;
  #exchangedAt = performance.now();
  #exchange: Promise<void> | undefined;

  constructor(options: LearnedHintsOptions) {
    this.#options = options;
    // Counts of former processes.
    if (options.mode === 'on') void this.flush();
  }

  /**
   * What a conversation with a model is shown: the same for the same conversation. A fifth of the
   * conversations, by their hash, see no learned hint. Undefined if none is shown to anybody.
   */
  conversation(model: string | undefined, id: string): ConversationHints | undefined {
    if (this.#options.mode !== 'on') return undefined;
    const key = JSON.stringify([model, id]);
    const hints = this.#conversations.get(key) ?? this.#newConversation(model ?? '', id);
    setNewest(this.#conversations, [key, hints], mostConversations);
    return hints;
  }

  /** What was said once of a definition stays. */
  #newConversation(model: string, id: string): ConversationHints {
    if (!seesHints(id)) return { missesOf: () => [] };
    const misses = new Map<string, readonly HintedMiss[]>();
    return {
      missesOf: (contract) => {
        const definition = definitionOf(contract);
        const shownMisses = misses.get(definition) ?? this.#missesToShow(contract, model);
        misses.set(definition, shownMisses);
        return shownMisses;
      },
    };
  }

  /** Most misses saved by a character first, as far as the sentences fit. */
  #missesToShow(contract: ToolContract, model: string): readonly HintedMiss[] {
    const definition = definitionOf(contract);
    const onRows = [...this.#rows.values()].filter(
      (row) => row.model === model && row.definition === definition && isOn(row),
    );
    const misses = onRows
      .toSorted((one, other) => savedByCharacter(other) - savedByCharacter(one))
      .flatMap(({ kind, field }) => (kind === '' ? [] : [{ kind, field }]));
    return toolDescription(contract, this.#options, undefined, misses).misses;
  }

  count(call: CountedCall): void {
    this.#tally(call);
    this.#pendingCalls += 1;
    const pendingMs = performance.now() - this.#exchangedAt;
    const isMuch = this.#pendingCalls >= mostPendingCalls && pendingMs > shortestPendingMs;
    if (isMuch || pendingMs > longestPendingMs) void this.#exchangeOnce();
  }

  #tally({ contract, model = '', misses, shownHints }: CountedCall): void {
    const tally = this.#tallyOf(contract, model);
    tally.calls += 1;
    const shownMisses = shownHints?.missesOf(contract) ?? [];
    for (const miss of shownMisses) tally.countsOf(miss).shownCalls += 1;
    for (const miss of misses) {
      const isShown = shownMisses.some((one) => isSameMiss(one, miss));
      tally.countsOf(miss)[isShown ? 'shownMisses' : 'misses'] += 1;
    }
  }

  #tallyOf(contract: ToolContract, model: string): Tally {
    const ofModel = this.#tallies.get(contract)?.get(model);
    if (ofModel !== undefined) return ofModel;
    if (this.#tallyCount >= mostTallies) this.#sumUp();
    this.#tallyCount += 1;
    const tallies = this.#tallies.get(contract) ?? new Map<string, Tally>();
    const tally = new Tally();
    this.#tallies.set(contract, tallies.set(model, tally));
    return tally;
  }

  #sumUp(): void {
    const tallies = this.#tallies;
    this.#tallies = new Map();
    this.#tallyCount = 0;
    for (const [contract, byModel] of tallies) {
      const ofTool = { tool: contract.name, definition: definitionOf(contract) };
      for (const [model, { calls, counts }] of byModel) {
        const cell = { model, ...ofTool };
        this.#add({ ...cell, kind: '', field: '', sentence: '' }, { ...noCounts, calls });
        for (const [miss, added] of counts) this.#add({ ...cell, ...miss }, added);
      }
    }
  }

  #add(cell: HintCell, added: AddedCounts): void {
    const key = cellKey(cell);
    const former = this.#pending.get(key);
    const isNew = former === undefined && !this.#rows.has(key);
    if (isNew && this.#rows.size + this.#pending.size >= mostRows) return;
    this.#pending.set(key, { ...cell, added: sumOfCounts(former?.added ?? noCounts, added) });
  }

  /** What is known without asking the store. */
  get knownHints(): readonly LearnedHint[] {
    return learnedHints([...this.#rows.values()]);
  }

  /** The rows of all processes that have the same counts, with those of this one. */
  async counts(): Promise<readonly HintCount[]> {
    await this.flush();
    return [...this.#rows.values()];
  }

  /** Writes what was counted until now, and decides. Never rejects: counts that can't be written wait. */
  async flush(): Promise<void> {
    // One under way may have left before the last calls.
    if (this.#exchange !== undefined) await this.#exchange;
    await this.#exchangeOnce();
  }

  #exchangeOnce(): Promise<void> {
    this.#exchange ??= this.#exchangeNow().finally(() => {
      this.#exchange = undefined;
    });
    return this.#exchange;
  }

  async #exchangeNow(): Promise<void> {
    this.#sumUp();
    const changes = this.#pending;
    this.#pending = new Map();
    this.#pendingCalls = 0;
    this.#exchangedAt = performance.now();
    try {
      await this.#send([...changes.values()]);
    } catch {
      for (const change of changes.values()) this.#add(change, change.added);
      return;
    }
    const decisions = this.#decisions();
    // Another process, or the next exchange, makes the same decision.
    if (decisions.length > 0) await this.#send(decisions).catch(() => undefined);
  }

  async #send(changes: readonly HintChange[]): Promise<void> {
    const rows = await this.#options.counts.exchange(changes);
    this.#rows = new Map(rows.map((row) => [cellKey(row), row]));
  }

  #decisions(): readonly HintChange[] {
    const rows = [...this.#rows.values()];
    return rows.flatMap((row): readonly HintChange[] => {
      if (row.kind === '') return [];
      const trial = judgedTrial(row.trial, hiddenArm(row, this.#rows), shownArm(row));
      const { model, tool, definition, kind, field, sentence } = row;
      const cell = { model, tool, definition, kind, field, sentence };
      return trial === row.trial
        ? []
        : [{ ...cell, added: noCounts, decided: { from: row.trial.look, trial } }];
    });
  }
}

const definitionOf = memoize(contractDigest);

const savedByCharacter = ({ misses, sentence }: HintCount): number => misses / sentence.length;

/** By a hash, so that all processes agree. */
const seesHints = (conversation: string): boolean =>
  Number.parseInt(digestOf(conversation).slice(-8), 16) < shownShare * 2 ** 32;
