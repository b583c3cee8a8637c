// Which calls does a test try a tool with? Valid ones, and broken ones that each know what they meant.
import { unknownOptions } from '../contract/unknown-options.ts';
import { type Complaint, DefinitionError } from '../errors/definition-error.ts';
import {
  listKind,
  optionComplaints,
  type OptionKind,
  type OptionKinds,
} from '../errors/option-complaints.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { JsonObject } from '../json/json-value.ts';
import { contractOf } from '../registry/contract-of.ts';
import type { RegisteredTool } from '../registry/registration/read-registration.ts';
import { CallGenerator } from './call-generator.ts';
import { mistakeKinds } from './mistakes/mistake-table.ts';

/** Which calls are made. */
export interface CallChoice {
  /** The same calls for the same seed and tool. Default: 1. */
  readonly seed?: number;
  /** Default: 20. */
  readonly count?: number;
  /** Of `mistakeKinds`, for broken calls; default: all of them. */
  readonly kinds?: readonly string[];
  /** Mistakes in one broken call. Default: 1. */
  readonly mistakes?: number;
}

/** A call, what it means, and the kinds of mistakes in it. */
export interface BrokenToolCall {
  readonly call: ToolCall;
  /** The arguments that the tool must get. */
  readonly meant: JsonObject;
  readonly mistakes: readonly string[];
}

/** Attempts for one call: not every tool has a place for every mistake. */
const mostAttempts = 50;

/** Calls that a tool accepts as they are; fewer than asked for where no more were found. Throws as `brokenCalls` does. */
export function validCalls(tool: RegisteredTool, choice: CallChoice = {}): readonly ToolCall[] {
  const { name, generator, count } = prepare(tool, choice);
  return Array.from({ length: count }, (_item, index) => {
    const value = generator.valid();
    return value === undefined ? [] : [callOf(name, index, JSON.stringify(value))];
  }).flat();
}

/**
 * Calls with mistakes as models make them, each with one possible meaning; fewer than asked for where the tool has no
 * place for such mistakes. Throws a DefinitionError for a choice that is none, and a kind that there is not.
 */
export function brokenCalls(tool: RegisteredTool, choice: CallChoice = {}): readonly BrokenToolCall[] {
  const { name, generator, count } = prepare(tool, choice);
  const made: BrokenToolCall[] = [];
  for (let attempt = 0; made.length < count && attempt < count * mostAttempts; attempt += 1) {
    const broken = generator.broken(choice.mistakes ?? 1);
    if (broken === undefined) continue;
    const { text, value: meant, mistakes } = broken;
    made.push({ call: callOf(name, made.length, text), meant, mistakes });
  }
  return made;
}

function prepare(
  tool: RegisteredTool,
  choice: CallChoice,
): { readonly name: string; readonly generator: CallGenerator; readonly count: number } {
  const complaints = choiceComplaints(choice);
  if (complaints.length > 0) throw new DefinitionError(complaints);
  const { seed = 1, count = 20, kinds = mistakeKinds } = choice;
  const unknown = kinds.filter((kind) => !mistakeKinds.includes(kind));
  if (unknown.length > 0) {
    const what = `has no kind of mistake named ${unknown.join(', ')}`;
    const instead = `choose of ${mistakeKinds.join(', ')}`;
    throw new DefinitionError([{ where, what, instead }]);
  }
  const contract = typeof tool === 'function' ? contractOf(tool) : tool;
  return { name: contract.name, generator: new CallGenerator(contract, seed, kinds), count };
}

const where = 'toolmend/testing';

const countKind = (least: number): OptionKind => ({
  fits: (count) => typeof count === 'number' && Number.isSafeInteger(count) && count >= least,
  instead: `write a whole number, at least ${least}`,
});

const kindsOfChoice: OptionKinds = {
  seed: { fits: Number.isSafeInteger, instead: 'write a whole number' },
  count: countKind(0),
  mistakes: countKind(1),
  kinds: listKind((kind) => typeof kind === 'string', 'write a list of mistakeKinds'),
};

const choices: Readonly<Record<keyof CallChoice, true>> = {
  seed: true,
  count: true,
  kinds: true,
  mistakes: true,
};

const choiceComplaints = (choice: CallChoice): readonly Complaint[] => [
  ...optionComplaints(where, choice, kindsOfChoice),
  ...unknownOptions(where, Object(choice), choices),
];

const callOf = (name: string, index: number, text: string): ToolCall => ({
  id: `call_${index + 1}`,
  name,
  arguments: text,
  finishReason: 'tool_calls',
});
