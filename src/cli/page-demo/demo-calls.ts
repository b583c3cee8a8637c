// 5,000 calls of a made-up application for `toolmend ui --demo`: the models, their rates and the
// times are made up. What became of a call is what toolmend makes of it: each one is called for real.
import { randomBytes } from 'node:crypto';
import { defined, objectOf } from '../../collections/objects.ts';
import { secretDigestWith } from '../../journal/secret-digest.ts';
import type { JsonObject } from '../../json/value.ts';
import type { ToolOutcome } from '../../outcomes/tool-outcome.ts';
import { ToolRegistry } from '../../registry/tool-registry.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { ToolRun } from '../../run/tool-run.ts';
import type { Journal } from '../../store/call-store.ts';
import { MemoryStore } from '../../store/memory-store.ts';
import { CallGenerator } from '../../testing/generate.ts';
import { Random } from '../../testing/sample-value.ts';
import {
  type DemoFate,
  type DemoRelease,
  type DemoUse,
  demoReleases,
  demoTools,
  demoUses,
} from './demo-tools.ts';

export interface DemoCalls {
  readonly journal: Journal;
  /** The registry of the newest release, which decides about the calls that wait. */
  readonly tools: ToolRegistry;
  close(): Promise<void>;
}

interface DemoModel {
  readonly name: string;
  /** How often it is used, beside the others. */
  readonly share: number;
  /** The rate of its calls that need a repair, and of those that nobody could repair. */
  readonly misses: number;
  readonly mistakes: number;
  /** Of `faultKinds`: what it gets wrong. */
  readonly faults: readonly string[];
}

const models: readonly DemoModel[] = [
  {
    name: 'atlas-large',
    share: 28,
    misses: 0.008,
    mistakes: 0.002,
    faults: ['null_for_absent', 'key_in_other_spelling', 'fenced'],
  },
  {
    name: 'atlas-mini',
    share: 20,
    misses: 0.04,
    mistakes: 0.006,
    faults: ['container_as_text', 'null_for_absent', 'boolean_as_text', 'repeated'],
  },
  {
    name: 'birch-70b',
    share: 18,
    misses: 0.05,
    mistakes: 0.008,
    faults: ['number_as_text', 'element_for_list', 'trailing_comma', 'call_object', 'envelope'],
  },
  {
    name: 'dune-32b',
    share: 14,
    misses: 0.07,
    mistakes: 0.012,
    faults: ['key_in_other_spelling', 'python', 'notation_qwen_xml', 'boolean_as_text'],
  },
  {
    name: 'cedar-8b',
    share: 20,
    misses: 0.24,
    mistakes: 0.035,
    // Twice is twice as often.
    faults: [
      'container_as_text',
      'container_as_text',
      'number_as_text',
      'boolean_as_text',
      'null_for_absent',
      'member_in_other_spelling',
      'element_for_list',
      'unquoted_keys',
      'closer_missing',
      'trailing_comma',
    ],
  },
];

const callCount = 5_000;
/** Calls that wait at the end. */
const openCount = 5;
const days = 14;
const minute = 60_000;
const day = 24 * 60 * minute;
/** When the second and the third release came: days before now. */
const releaseDays = [4.2, 1.5];
const learnedEvery = 100;
const tenant = 'shop';

/** Calls of the last 14 days. The same seed makes the same calls, at other times and with other ids. */
export async function makeDemoCalls(now: number, seed = 4): Promise<DemoCalls> {
  const maker = new CallMaker(now, seed);
  await maker.makePast();
  await maker.makeOpen();
  return {
    journal: maker.journal,
    tools: maker.tools,
    close: () => maker.close(),
  };
}

/** A run of an agent. */
interface DemoRun {
  readonly id: string;
  readonly model: DemoModel;
  readonly run: ToolRun;
  /** What goes wrong in it, so that there is an alarm. */
  readonly plot?: 'silent' | 'repeated';
  readonly length: number;
  callsMade: number;
  /** The call that was rejected last: the model tries again. */
  again?: { readonly use: DemoUse; readonly meant: JsonObject };
}

/** The first runs, with their beginnings. */
const plots: readonly { readonly plot: 'silent' | 'repeated'; readonly daysAgo: number }[] = [
  { plot: 'silent', daysAgo: 0.6 },
  { plot: 'repeated', daysAgo: 2.3 },
  { plot: 'silent', daysAgo: 3.1 },
];

class CallMaker {
  readonly journal: Journal;
  readonly #random: Random;
  readonly #now: number;
  readonly #fate: DemoFate = { failure: undefined };
  readonly #registries: Readonly<Record<DemoRelease, ToolRegistry>>;
  readonly #generators = new Map<string, CallGenerator>();
  readonly #selections = new Map<string, ToolSet>();
  #time: number;
  #made = 0;

  constructor(now: number, seed: number) {
    this.#now = now;
    this.#time = now - days * day;
    this.#random = new Random(seed);
    this.journal = new MemoryStore({
      maxResultChars: 100_000,
      secretDigest: secretDigestWith(randomBytes(32)),
      keeps: 'all_calls',
      // Past the calls of the demonstration, time goes on.
      clock: () => (this.#time < this.#now ? this.#time : Date.now()),
    });
    const registry = (release: DemoRelease): ToolRegistry =>
      new ToolRegistry({
        journal: this.journal,
        release,
        approval: {},
        hints: { learn: 'on' },
      }).register(...demoTools(release, this.#fate));
    this.#registries = {
      '1.7.4': registry('1.7.4'),
      '1.8.0': registry('1.8.0'),
      '1.8.1': registry('1.8.1'),
    };
  }

  get tools(): ToolRegistry {
    return this.#registries['1.8.1'];
  }

  async close(): Promise<void> {
    for (const release of demoReleases) await this.#registries[release].close();
  }

  async makePast(): Promise<void> {
    for (const { at, run } of this.#schedule()) {
      this.#time = at;
      await this.#makeCall(run);
      if (this.#made % learnedEvery === 0) await this.tools.learnedHints();
    }
  }

  /** When each run makes its calls. Fewer are made at night. */
  #schedule(): readonly { readonly at: number; readonly run: DemoRun }[] {
    const random = this.#random;
    const places: { at: number; run: DemoRun }[] = [];
    const latest = this.#now - 12 * minute;
    for (let number = 1; places.length < callCount - openCount; number += 1) {
      const run = this.#newRun(number, callCount - openCount - places.length);
      let at = this.#now - (plots[number - 1]?.daysAgo ?? random.next() * days) * day;
      while (at + 40 * minute > latest || (run.plot === undefined && !random.chance(busyness(at))))
        at = this.#now - random.next() * days * day;
      for (let call = 0; call < run.length; call += 1) {
        places.push({ at, run });
        at += random.integer(4, 70) * 1_000;
      }
    }
    return places.toSorted((earlier, later) => earlier.at - later.at);
  }

  #newRun(number: number, mostCalls: number): DemoRun {
    const random = this.#random;
    const { plot } = plots[number - 1] ?? {};
    const id = `run_${number.toString(36).padStart(3, '0')}`;
    return {
      id,
      model: plot === undefined ? this.#model() : (models.at(-1) ?? this.#model()),
      run: new ToolRun({ id, retryLimit: 20 }),
      length: Math.min(mostCalls, plot === 'repeated' ? 9 : random.integer(3, 14)),
      callsMade: 0,
      ...defined({ plot }),
    };
  }

  #model(): DemoModel {
    return weighted(this.#random, models);
  }

  async #makeCall(run: DemoRun): Promise<void> {
    const random = this.#random;
    const { model, plot, again } = run;
    run.callsMade += 1;
    const isLast = run.callsMade === run.length;
    const release = releaseAt(this.#now - this.#time);
    const repeats = plot === 'repeated' && run.callsMade > 2 && !isLast;
    const use = repeats ? useOf('list_issues') : (again?.use ?? weighted(random, demoUses));
    const meant = again?.meant ?? use.example(random);
    delete run.again;
    const isMistaken =
      repeats ||
      (isLast
        ? plot === 'silent'
        : again === undefined && random.chance(mistakesOf(model, use, release)));
    const values = use.tool === 'delegate' ? ofRelease(meant, release) : meant;
    if (isMistaken) run.again = { use, meant };
    const sentText = isMistaken
      ? mistaken(use, meant, release, random)
      : this.#sentText(run, use, values, release);
    this.#fate.failure = random.chance(0.012) ? use.failure : undefined;
    const outcome = await this.#call(run, use.tool, sentText, release);
    await this.#decide(outcome, release);
    this.#fate.failure = undefined;
  }

  /** What the model sends: as it is meant, or with a fault that has one meaning. */
  #sentText(run: DemoRun, { tool }: DemoUse, values: JsonObject, release: DemoRelease): string {
    const { model, id } = run;
    const random = this.#random;
    const selection = this.#selectionOf(run, release);
    const description = selection.schemas().find(({ name }) => name === tool)?.description ?? '';
    // Who reads a sentence about it errs less.
    const isTold = description.includes('\n');
    const rate = model.misses * (tool === 'todo_write' ? 1.7 : 1) * (isTold ? 0.45 : 1);
    if (!random.chance(rate)) return JSON.stringify(values);
    const key = `${model.name} ${tool} ${release}`;
    const contract = this.#registries[release].contracts().find(({ name }) => name === tool);
    if (contract === undefined) throw new Error(`${id}: there is no tool ${tool}`);
    const generator =
      this.#generators.get(key) ??
      new CallGenerator(contract, random.integer(1, 1e9), model.faults);
    this.#generators.set(key, generator);
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const broken = generator.brokenArguments(random.chance(0.2) ? 2 : 1, values);
      if (broken !== undefined) return broken.text;
    }
    return JSON.stringify(values);
  }

  #selectionOf({ id, model }: DemoRun, release: DemoRelease): ToolSet {
    const key = `${id} ${release}`;
    const selection =
      this.#selections.get(key) ??
      this.#registries[release].select({ model: model.name, conversation: id });
    this.#selections.set(key, selection);
    return selection;
  }

  #call(run: DemoRun, name: string, sentText: string, release: DemoRelease): Promise<ToolOutcome> {
    this.#made += 1;
    const call = {
      id: `call_${this.#made}`,
      name,
      arguments: sentText,
      model: run.model.name,
      finishReason: 'tool_calls',
    };
    const options = { run: run.run, conversation: run.id, tenant };
    return this.#selectionOf(run, release).call(call, options);
  }

  /** Somebody decides, soon. */
  async #decide(outcome: ToolOutcome, release: DemoRelease): Promise<void> {
    const tools = this.#registries[release];
    const [by, random] = [this.#random.pick(['Ada', 'Mara']) ?? 'Ada', this.#random];
    if (outcome.status === 'approval_required') {
      const decision = random.chance(0.85)
        ? ({ decision: 'approve', by } as const)
        : ({ decision: 'deny', by, message: 'Ask for the ticket first.' } as const);
      await tools.resolveApproval(outcome.approval, decision, { tenant });
    }
    if (outcome.status === 'input_required') {
      const answer = { action: 'accept', content: { room: 'Library' }, by } as const;
      await tools.answerQuestion(outcome.question, answer, { tenant });
    }
  }

  /** What waits for whoever looks. */
  async makeOpen(): Promise<void> {
    const random = this.#random;
    const ask = async (minutesAgo: number, tool: string, sent: object): Promise<ToolOutcome> => {
      this.#time = this.#now - minutesAgo * minute;
      const run = {
        ...this.#newRun(0, 1),
        id: `run_open_${minutesAgo}`,
        model: models[3] ?? this.#model(),
      };
      return this.#call(run, tool, JSON.stringify(sent), '1.8.1');
    };
    const doubtful = await ask(9, 'refund', { ...useOf('refund').example(random), amount: '80' });
    if (doubtful.status === 'approval_required') await this.#leaveInDoubt(doubtful.approval.id);
    await ask(6, 'refund', {
      payment: 'pay_3812',
      amount: '250',
      reason: 'duplicate',
      notify: 'true',
    });
    await ask(4, 'book_room', { day: '2026-12-04', people: '6' });
    await ask(2, 'refund', { payment: 'pay_4090', amount: 40, reason: 'late' });
    await ask(1, 'refund', { payment: 'pay_4177', amount: 120, reason: 'damaged', notify: false });
    this.#time = this.#now;
  }

  /** As a process leaves a call that ends while its tool is running. */
  async #leaveInDoubt(id: string): Promise<void> {
    const [entry] = await this.journal.list({ state: 'waiting', limit: 1 });
    if (entry?.approval === undefined) return;
    const { call, digest } = entry.approval;
    await this.journal.useApproval(id, tenant, { kind: 'run', call, approved: digest });
    await this.journal.doubt(entry.id);
  }
}

function weighted<Choice extends { readonly share: number }>(
  random: Random,
  choices: readonly Choice[],
): Choice {
  let left = random.next() * choices.reduce((sum, { share }) => sum + share, 0);
  const choice = choices.find(({ share }) => (left -= share) < 0) ?? choices.at(-1);
  if (choice === undefined) throw new TypeError('there is no choice');
  return choice;
}

const useOf = (tool: string): DemoUse => {
  const use = demoUses.find((one) => one.tool === tool);
  if (use === undefined) throw new TypeError(`there is no tool ${tool}`);
  return use;
};

function releaseAt(ago: number): DemoRelease {
  const [second = 0, third = 0] = releaseDays;
  if (ago > second * day) return '1.7.4';
  return ago > third * day ? '1.8.0' : '1.8.1';
}

/** 1.8.0 renamed an argument, and told nobody. */
const mistakesOf = ({ mistakes }: DemoModel, { tool }: DemoUse, release: DemoRelease): number =>
  tool === 'delegate' && release === '1.8.0' ? 0.3 : mistakes;

const ofRelease = ({ agentType = '', ...others }: JsonObject, release: DemoRelease): JsonObject =>
  release === '1.7.4' ? { ...others, agentType } : { ...others, profile: agentType };

/** Arguments that nobody can repair: a required one is missing, or has its old name. */
function mistaken(use: DemoUse, meant: JsonObject, release: DemoRelease, random: Random): string {
  if (use.tool === 'delegate')
    return JSON.stringify(ofRelease(meant, release === '1.7.4' ? '1.8.0' : '1.7.4'));
  const [first = '', ...others] = Object.keys(meant);
  const isMissing = others.length > 0 && (use.tool === 'list_issues' || random.chance(0.7));
  return isMissing
    ? JSON.stringify(objectOf(Object.entries(meant).filter(([name]) => name !== first)))
    : JSON.stringify({ ...meant, [first]: [meant[first] ?? '', 'and another'] });
}

/** From 0 to 1, by the time of day and the day of the week, in UTC. */
function busyness(at: number): number {
  const time = new Date(at);
  const hour = time.getUTCHours();
  const isNight = hour < 6 || hour > 20;
  const isWeekend = time.getUTCDay() % 6 === 0;
  return (
    (isNight ? 0.15 : 0.5 + 0.5 * Math.sin(((hour - 6) / 15) * Math.PI)) * (isWeekend ? 0.4 : 1)
  );
}
