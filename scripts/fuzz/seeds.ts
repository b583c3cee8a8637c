// What does fuzzing start from? The recorded calls of the tests: each with its schema.
import { readFileSync } from 'node:fs';
import type { SchemaObject, ToolContract } from 'toolmend';
import { independentValidator } from '../../test/laws/independent-validator.ts';
import type { IndependentValidator } from '../../test/laws/law.ts';
import type { Engine } from '../../test/laws/bundle-engine.ts';
import type { Random } from './random.ts';

/** A tool, and a judge of its schema that shares nothing with the engine. */
export interface FuzzedTool {
  readonly contract: ToolContract;
  readonly judge: IndependentValidator;
}

export interface FuzzInput {
  readonly tool: FuzzedTool;
  readonly text: string;
  readonly finishReason: string | undefined;
}

interface RecordedCall {
  readonly schema: SchemaObject;
  readonly input?: unknown;
  readonly inputText?: string;
  readonly options?: { readonly finishReason?: string };
}

const files = ['systems.jsonl', 'reported.jsonl', 'mutants.jsonl'];

/** Texts beyond this take too long to be looked at often. */
const longestText = 2000;

/**
 * Inputs for some tools, others with each seed, whose schemas every judge can read: their recorded calls. Compiling a
 * schema takes as long as hundreds of runs.
 */
export function seedsFor({ defineTool }: Engine, random: Random, mostTools: number): readonly FuzzInput[] {
  const tools = new Map<string, FuzzedTool | undefined>();
  return shuffled(files.flatMap(readCalls), random).flatMap(({ schema, input, inputText, options }) => {
    const key = JSON.stringify(schema);
    if (!tools.has(key) && tools.size < mostTools) tools.set(key, toolFor(schema, defineTool));
    const tool = tools.get(key);
    const text = inputText ?? JSON.stringify(input);
    const isUsed = tool !== undefined && text !== undefined && text.length <= longestText;
    return isUsed ? [{ tool, text, finishReason: options?.finishReason }] : [];
  });
}

function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  const marked = items.map((item) => ({ item, at: random.fraction() }));
  return marked.toSorted((left, right) => left.at - right.at).map(({ item }) => item);
}

function readCalls(file: string): readonly RecordedCall[] {
  const folder = new URL('../../test/cases/', import.meta.url);
  const lines = readFileSync(new URL(file, folder), 'utf8').trim().split('\n');
  return lines.map((line): RecordedCall => JSON.parse(line));
}

function toolFor(inputSchema: SchemaObject, defineTool: Engine['defineTool']): FuzzedTool | undefined {
  try {
    const judge = independentValidator(inputSchema);
    const definition = { name: 'fuzzed_tool', description: 'Is fuzzed.', inputSchema, execute: () => 'done' };
    return { judge, contract: defineTool(definition) };
  } catch {
    // Older drafts, references that lead nowhere: nothing for a second opinion.
    return undefined;
  }
}
