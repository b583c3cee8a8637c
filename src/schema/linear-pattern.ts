import { memoize } from '../collections/memoize.ts';
import { type PatternPart, parsePattern } from './pattern-syntax.ts';

/**
 * One state of the automaton. `character`: a character leads to `next`. `fork`: nothing needs to be
 * read.
 */
type State =
  | {
      readonly kind: 'character';
      readonly matches: (point: number) => boolean;
      readonly next: number;
    }
  | { readonly kind: 'fork'; readonly next: readonly number[] }
  | { readonly kind: 'assertion'; readonly text: string; readonly next: number }
  | { readonly kind: 'match' };

/** States of one automaton. The time for a character is proportional to it. */
const maxStates = 1000;

/**
 * How many combinations of states an automaton keeps, each with its steps. If one text needs more
 * new combinations than that, the rest of the text is read without keeping any.
 */
const maxKept = 2000;

/**
 * An automaton whose time is linear in the text's length: the text is read once, in all ways at the
 * same time. undefined for a pattern with lookarounds or backreferences, and for one that repeats
 * too much.
 */
export function linearPattern(source: string): Automaton | undefined {
  const states: State[] = [{ kind: 'match' }];
  const start = addPart(states, parsePattern(source), 0);
  return start === undefined ? undefined : new Automaton(states, start);
}

/**
 * Adds the states of a part that go on at `next`, and returns the first; undefined if the part
 * can't be expressed.
 */
function addPart(states: State[], part: PatternPart, next: number): number | undefined {
  switch (part.kind) {
    case 'character':
      return add(states, {
        kind: 'character',
        matches: matcherOf(states, part.text, part.isLiteral),
        next,
      });
    case 'assertion':
      return add(states, { kind: 'assertion', text: part.text, next });
    case 'sequence':
      return part.parts.reduceRight<number | undefined>(
        (nextState, innerPart) =>
          nextState === undefined ? undefined : addPart(states, innerPart, nextState),
        next,
      );
    case 'alternatives':
      return addFork(
        states,
        part.parts.map((innerPart) => addPart(states, innerPart, next)),
      );
    case 'repeat':
      return addRepeat(states, part, next);
    default:
      return undefined;
  }
}

function add(states: State[], state: State): number | undefined {
  return states.length < maxStates ? states.push(state) - 1 : undefined;
}

function addFork(states: State[], ways: readonly (number | undefined)[]): number | undefined {
  const starts = ways.filter((way) => way !== undefined);
  return starts.length === ways.length ? add(states, { kind: 'fork', next: starts }) : undefined;
}

function addRepeat(
  states: State[],
  { part, least, most }: Extract<PatternPart, { readonly kind: 'repeat' }>,
  next: number,
): number | undefined {
  let nextState: number | undefined = next;
  if (most === Infinity) {
    // The fork is part of a loop, so it is completed when the states after it are known.
    const ways: number[] = [next];
    nextState = add(states, { kind: 'fork', next: ways });
    const start = nextState === undefined ? undefined : addPart(states, part, nextState);
    if (start === undefined) return undefined;
    ways.push(start);
  } else {
    for (let times = least; times < most && nextState !== undefined; times += 1)
      nextState = addFork(states, [addPart(states, part, nextState), next]);
  }
  for (let times = 0; times < least && nextState !== undefined; times += 1)
    nextState = addPart(states, part, nextState);
  return nextState;
}

type Matcher = (point: number) => boolean;

/** By the text of a character class. */
const matchersOf = memoize((_states: readonly State[]) => new Map<string, Matcher>());

function matcherOf(states: readonly State[], text: string, isLiteral: boolean): Matcher {
  if (isLiteral) {
    const literal = text.codePointAt(0);
    return (point) => point === literal;
  }
  const matchers = matchersOf(states);
  const matches = matchers.get(text) ?? classMatcher(text);
  matchers.set(text, matches);
  return matches;
}

/** Keeps its last result, because all states of a class ask about the same character. */
function classMatcher(text: string): Matcher {
  const one = new RegExp(`^${text}$`, 'u');
  let last: number | undefined;
  let result = false;
  return (point) => {
    if (point !== last) result = one.test(String.fromCodePoint(point));
    last = point;
    return result;
  };
}

/** States that the text before a character leads to. Steps from it are computed once. */
interface Combination {
  readonly states: readonly number[];
  /** The character before; undefined at the start. */
  readonly isAfterWord: boolean | undefined;
  readonly steps: Map<number, Combination | 'matched'>;
}

/** Stands for the end of the text, where no character follows. */
const end = -1;

class Automaton {
  readonly #states: readonly State[];
  readonly #start: number;
  #keptCombinations = new Map<string, Combination>();
  #keptSteps = 0;
  /**
   * Characters of all texts, repetitions aside; by state, the one at which it was reached, and
   * queued for the next one, last.
   */
  #characters = 0;
  readonly #reachedAt: Float64Array;
  readonly #queuedAt: Float64Array;
  /** States visited by all tests so far. */
  steps = 0;

  constructor(states: readonly State[], start: number) {
    this.#states = states;
    this.#start = start;
    this.#reachedAt = new Float64Array(states.length);
    this.#queuedAt = new Float64Array(states.length);
  }

  test(text: string): boolean {
    let here = this.#combination([this.#start], undefined);
    let computed = 0;
    for (let at = 0; at <= text.length;) {
      const point = text.codePointAt(at) ?? end;
      const nextStep = here.steps.get(point);
      if (nextStep === undefined) computed += 1;
      if (computed > maxKept) return this.#testRest(text, at, here);
      const next = nextStep ?? this.#step(here, point);
      if (next === 'matched') return true;
      here = next;
      at += point > 0xffff ? 2 : 1;
    }
    return false;
  }

  /** Goes on from a combination without keeping others: each would be met once. */
  #testRest(text: string, from: number, { states, isAfterWord }: Combination): boolean {
    let here = states;
    let followsWord = isAfterWord;
    for (let at = from; at <= text.length;) {
      const point = text.codePointAt(at) ?? end;
      const next = this.#statesAfter(here, followsWord, point);
      if (next === 'matched') return true;
      here = next;
      followsWord = isWord(point);
      at += point > 0xffff ? 2 : 1;
    }
    return false;
  }

  #step(here: Combination, point: number): Combination | 'matched' {
    const next = this.#statesAfter(here.states, here.isAfterWord, point);
    if (next === 'matched') return this.#keep(here, point, next);
    const states = next.toSorted((one, other) => one - other);
    return this.#keep(here, point, this.#combination(states, isWord(point)));
  }

  /**
   * The states that a character leads to, each once; `matched` if a match ends before the
   * character.
   */
  #statesAfter(
    states: readonly number[],
    isAfterWord: boolean | undefined,
    point: number,
  ): readonly number[] | 'matched' {
    this.#characters += 1;
    const here: number[] = [];
    const next: number[] = [];
    for (const index of states) this.#add(index, here, this.#reachedAt);
    // The list grows while it is walked through.
    for (const index of here) {
      this.steps += 1;
      const state = this.#states[index];
      if (state?.kind === 'match') return 'matched';
      if (state?.kind === 'fork')
        for (const way of state.next) this.#add(way, here, this.#reachedAt);
      else if (state?.kind === 'assertion' && holds(state.text, isAfterWord, point))
        this.#add(state.next, here, this.#reachedAt);
      else if (state?.kind === 'character' && point !== end && state.matches(point))
        this.#add(state.next, next, this.#queuedAt);
    }
    // A match may begin at each character.
    this.#add(this.#start, next, this.#queuedAt);
    return next;
  }

  #add(index: number, list: number[], addedAt: Float64Array): void {
    if (addedAt[index] === this.#characters) return;
    addedAt[index] = this.#characters;
    list.push(index);
  }

  #keep(here: Combination, point: number, next: Combination | 'matched'): Combination | 'matched' {
    this.#keptSteps += 1;
    if (this.#keptSteps > maxKept) {
      this.#keptCombinations = new Map();
      this.#keptSteps = 0;
    }
    here.steps.set(point, next);
    return next;
  }

  #combination(states: readonly number[], isAfterWord: boolean | undefined): Combination {
    const key = `${String(isAfterWord)} ${states.join()}`;
    const cachedCombination = this.#keptCombinations.get(key);
    if (cachedCombination !== undefined) return cachedCombination;
    const newCombination: Combination = { states, isAfterWord, steps: new Map() };
    this.#keptCombinations.set(key, newCombination);
    return newCombination;
  }
}

function holds(assertion: string, isAfterWord: boolean | undefined, point: number): boolean {
  if (assertion === '^') return isAfterWord === undefined;
  if (assertion === '$') return point === end;
  return ((isAfterWord === true) !== isWord(point)) === (assertion === '\\b');
}

const isWord = (point: number): boolean => point !== end && /\w/.test(String.fromCodePoint(point));
