import {
  type OptionKinds,
  checkOptions,
  count as countKind,
  list,
  oneOfWords,
} from '../options/check-options.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { objectOf } from '../collections/objects.ts';
import { pointerTo } from '../json/pointers.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import { parseJson } from '../json/parse.ts';
import { type RegisteredTool, contractOf } from '../registry/register.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { isMap } from '../validate/strict-checks.ts';
import { type ContractValidator, validatorOf } from '../validate/validator.ts';
import { type FaultLocation, faultLocations } from './fault-locations.ts';
import { type Change, valueFaults } from './faults.ts';
import { Random, sampleValue } from './sample-value.ts';
import { textFaults } from './text-faults.ts';

/** Every kind of fault, for `kinds`. */
export const faultKinds: readonly string[] = [
  ...Object.keys(valueFaults),
  ...Object.keys(textFaults),
];

/** Which calls to make. */
export interface CallChoice {
  /** The same seed and tool make the same calls. Default: 1. */
  readonly seed?: number;
  /** Default: 20. */
  readonly count?: number;
  /** Of `faultKinds`, for broken calls. Default: all. */
  readonly kinds?: readonly string[];
  /** Faults in each broken call. Default: 1. */
  readonly faults?: number;
}

const choiceKinds: OptionKinds<CallChoice> = {
  seed: { accepts: Number.isSafeInteger, instead: 'write a whole number' },
  count: countKind(0),
  faults: countKind(1),
  kinds: list(oneOfWords(...faultKinds)),
};

/** A call with faults, and what it means. */
export interface BrokenToolCall {
  readonly call: ToolCall;
  /** The arguments that the tool must get. */
  readonly meant: JsonObject;
  /** The kinds of the faults. */
  readonly faults: readonly string[];
}

/** Attempts for each call: not every tool has a place for every fault. */
const maxCallAttempts = 50;

/**
 * Calls that the tool accepts as sent; fewer than `count` if no more are found. Throws as
 * `brokenCalls` does.
 */
export function validCalls(tool: RegisteredTool, choice: CallChoice = {}): readonly ToolCall[] {
  const { generator, name, count } = prepare(tool, choice);
  return Array.from({ length: count }, (_item, index) => {
    const value = generator.valid();
    return value === undefined ? [] : [callOf(name, index, JSON.stringify(value))];
  }).flat();
}

/**
 * Calls with faults that models make, each with exactly one meaning; fewer than `count` if the tool
 * has no place for such faults. Throws a DefinitionError for an invalid choice, as an unknown kind.
 */
export function brokenCalls(
  tool: RegisteredTool,
  choice: CallChoice = {},
): readonly BrokenToolCall[] {
  const { generator, name, count } = prepare(tool, choice);
  const callsWithFaults: BrokenToolCall[] = [];
  for (
    let attempt = 0;
    callsWithFaults.length < count && attempt < count * maxCallAttempts;
    attempt += 1
  ) {
    const brokenArguments = generator.brokenArguments(choice.faults ?? 1);
    if (brokenArguments === undefined) continue;
    callsWithFaults.push({
      call: callOf(name, callsWithFaults.length, brokenArguments.text),
      meant: brokenArguments.meant,
      faults: brokenArguments.faults,
    });
  }
  return callsWithFaults;
}

function prepare(tool: RegisteredTool, choice: CallChoice) {
  checkOptions('toolmend/testing', choice, choiceKinds);
  const { seed = 1, count = 20, kinds } = choice;
  const contract = typeof tool === 'function' ? contractOf(tool) : tool;
  return { name: contract.name, generator: new CallGenerator(contract, seed, kinds), count };
}

const callOf = (name: string, index: number, text: string): ToolCall => ({
  id: `call_${index + 1}`,
  name,
  arguments: text,
  finishReason: 'tool_calls',
});

/** The text of arguments with faults. The provider reports a normal end (`tool_calls`). */
export interface BrokenArguments {
  readonly text: string;
  readonly meant: JsonObject;
  readonly faults: readonly string[];
}

interface PlacedFault {
  readonly kind: string;
  readonly location: FaultLocation;
  readonly change: Change;
}

/** Attempts at a value that the validator accepts. */
const maxAttempts = 40;

export class CallGenerator {
  readonly #validator: ContractValidator;
  readonly #random: Random;
  readonly #kinds: readonly string[];

  /** `kinds`: default all of `faultKinds`. */
  constructor(contract: ToolContract, seed: number, kinds: readonly string[] = faultKinds) {
    this.#validator = validatorOf(contract);
    this.#random = new Random(seed);
    this.#kinds = kinds;
  }

  /** Arguments that the tool accepts as sent; undefined if none are found. */
  valid(): JsonObject | undefined {
    const { views } = this.#validator;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const value = sampleValue(views.root, { views, random: this.#random, name: '', depth: 0 });
      const isValid =
        this.#validator.accepts(value) && this.#validator.checkFailures(value).length === 0;
      if (isValid && isJsonObject(value)) return value;
    }
    return undefined;
  }

  /**
   * Arguments with this many faults, of which at most one is in the text; undefined if there is no
   * place for them. `intendedArguments`: those that are meant, which the tool accepts. Default: some.
   */
  brokenArguments(count: number, intendedArguments = this.valid()): BrokenArguments | undefined {
    if (intendedArguments === undefined) return undefined;
    const isInText = this.#random.chance(count > 1 ? 0.35 : 0.5);
    const placedFaults = this.#place(intendedArguments, isInText ? count - 1 : count);
    const sentArguments = withFaults(intendedArguments, placedFaults);
    const json = JSON.stringify(sentArguments);
    const writtenForm =
      isInText && isJsonObject(sentArguments) ? this.#write(sentArguments, json) : undefined;
    const faults = [
      ...placedFaults.map(({ kind }) => kind),
      ...(writtenForm === undefined ? [] : [writtenForm.kind]),
    ];
    return faults.length === count
      ? { text: writtenForm?.text ?? json, meant: intendedArguments, faults }
      : undefined;
  }

  /** Faults at locations of their own, each of which makes the call invalid by itself. */
  #place(value: JsonObject, count: number): readonly PlacedFault[] {
    const random = this.#random;
    const placedFaults: PlacedFault[] = [];
    if (count === 0) return placedFaults;
    const locations = faultLocations(this.#validator.views, value);
    // Kinds first: there are far more locations for some than for others.
    for (const kind of random.shuffle(this.#kinds)) {
      for (const location of random.shuffle(locations)) {
        const change = valueFaults[kind]?.(location, random);
        const fault = change && { kind, location, change };
        if (fault === undefined || this.#validator.accepts(withFaults(value, [fault]))) continue;
        const isDecoded = decodingsAround(fault, placedFaults) <= maxDecodings;
        if (isDecoded && placedFaults.every((other) => areIndependent(fault, other)))
          placedFaults.push(fault);
        if (placedFaults.length === count) return placedFaults;
        if (random.chance(0.6)) break;
      }
    }
    return placedFaults;
  }

  #write(
    value: JsonObject,
    json: string,
  ): { readonly text: string; readonly kind: string } | undefined {
    const { contract, views } = this.#validator;
    const declaredTypes = faultLocations(views, {}).map(({ key, types }) => [key, types] as const);
    const tool = contract.isUnnamed === true ? undefined : contract.name;
    const isValid = this.#validator.accepts(value);
    const root = views.of(views.root);
    const isClosed =
      root.additionalProperties === false && root.branches.length === 0 && !isMap(root);
    const call = { tool, value, isValid, json, isClosed, types: new Map(declaredTypes) };
    for (const kind of this.#random.shuffle(this.#kinds)) {
      const text = textFaults[kind]?.(call, this.#random);
      if (text !== undefined && text !== json && !this.#acceptsText(text)) return { text, kind };
    }
    return undefined;
  }

  #acceptsText(text: string): boolean {
    const reading = parseJson(text);
    return reading.kind === 'read' && this.#validator.accepts(reading.value);
  }
}

/** Texts inside each other, at most, as repair decodes them. */
const maxDecodings = 3;

/** How often text must be decoded on one path through a fault. */
function decodingsAround(fault: PlacedFault, placedFaults: readonly PlacedFault[]): number {
  const isOnPath = ({ location: { path } }: PlacedFault): boolean =>
    `${path}/`.startsWith(`${fault.location.path}/`) ||
    `${fault.location.path}/`.startsWith(`${path}/`);
  return [fault, ...placedFaults.filter(isOnPath)].reduce(
    (sum, { change }) => sum + (change.kind === 'wrapped' ? (change.decodings ?? 0) : 0),
    0,
  );
}

/** Whether two faults can be made in one call without one hiding the other. */
function areIndependent(one: PlacedFault, other: PlacedFault): boolean {
  const [outer, inner] =
    one.location.path.length <= other.location.path.length ? [one, other] : [other, one];
  const [outerKind, innerKind] = [outer.change.kind, inner.change.kind];
  if (outer.location.path === inner.location.path)
    return (
      (outerKind === 'renamed') !== (innerKind === 'renamed') &&
      !mayBeData(outer) &&
      !mayBeData(inner) &&
      outerKind !== 'members' &&
      innerKind !== 'members'
    );
  const isInside = inner.location.path.startsWith(`${outer.location.path}/`);
  return !isInside || outerKind === 'wrapped' || (outerKind === 'renamed' && !mayBeData(outer));
}

/** Another spelling of an optional key in an open object is data if its value can't be repaired. */
const mayBeData = ({ change, location: { parent } }: PlacedFault): boolean =>
  change.kind === 'renamed' &&
  parent?.isRequired === false &&
  parent.view.additionalProperties !== false;

/** The value with the faults: those inside first, those of a value before those of its key. */
function withFaults(value: JsonValue, faults: readonly PlacedFault[], path = ''): JsonValue {
  const change = faults.find((fault) => fault.location.path === path && isOfValue(fault))?.change;
  if (change?.kind === 'replaced') return change.value;
  const inner = withFaultsInside(value, faults, path);
  return change?.kind === 'wrapped' ? change.wrap(inner) : inner;
}

const isOfValue = ({ change }: PlacedFault): boolean =>
  change.kind === 'replaced' || change.kind === 'wrapped';

function withFaultsInside(
  value: JsonValue,
  faults: readonly PlacedFault[],
  path: string,
): JsonValue {
  if (isJsonArray(value))
    return value.map((item, index) => withFaults(item, faults, pointerTo(path, String(index))));
  if (!isJsonObject(value)) return value;
  const ofKeys = faults.filter(
    (fault) => fault.location.parent?.path === path && !isOfValue(fault),
  );
  const keys = new Set([...Object.keys(value), ...ofKeys.map(({ location }) => location.key)]);
  return objectOf(
    [...keys].flatMap((key) => {
      const change = ofKeys.find(({ location }) => location.key === key)?.change;
      if (change?.kind === 'members') return change.members;
      const member = withFaults(value[key] ?? null, faults, pointerTo(path, key));
      return [[change?.kind === 'renamed' ? change.key : key, member] as const];
    }),
  );
}
