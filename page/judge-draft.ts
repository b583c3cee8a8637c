// The repair engine: larger than the rest of the page, so it is a file of its own, which is loaded
// when somebody tries a call.
import { memberOf } from '../src/collections/objects.ts';
import {
  DefinitionError,
  type Interpretation,
  type Issue,
  type RepairRecord,
  type SchemaWarning,
  argumentsText,
  interpretArguments,
  readCalls,
} from '../src/interpret/index.ts';
import { type UnreadableReason, readJson } from '../src/json/lenient-parser.ts';
import { parseJson } from '../src/json/parse.ts';
import { type JsonObject, isJsonObject, maxDataDepth } from '../src/json/value.ts';
import { caseLine } from '../src/page/case-line.ts';
import type { Effects } from '../src/tool/tool-contract.ts';
import { effectsOf } from '../src/wire/tool-effects.ts';
import type { CallForm, Draft } from './draft.ts';

export { reportedCalls } from '../src/cli/reported-calls.ts';

/** What became of a draft. */
export type Verdict = UnusableSchema | JudgedDraft;

/** What stands in place of a schema, and is none. */
export interface UnusableSchema {
  readonly status: 'no schema';
  readonly problem: string;
}

export interface JudgedDraft {
  readonly status: 'valid' | 'repaired' | 'rejected';
  readonly tool: string;
  /** Argument text: of an answer, that of its first call. */
  readonly sent: string;
  /** JSON text. Absent for a call that is rejected. */
  readonly used?: string;
  readonly repairs: readonly RepairRecord[];
  readonly issues: readonly Issue[];
  /** What the model would read: why nothing ran, or notes beside the result. */
  readonly message: string;
  readonly form: CallForm;
  /** The text can be read in the other form, too. */
  readonly hasOtherForm: boolean;
  /** The calls in an answer, and the notation of the first one. */
  readonly calls?: { readonly count: number; readonly notation: string };
  /** What is wrong with the schema, as far as the call can be judged all the same. */
  readonly warnings: readonly string[];
  readonly milliseconds: number;
  /** A line for `toolmend cases`. */
  readonly line: string | undefined;
}

interface TriedTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
  readonly effects?: Effects;
}

export function judgeDraft(draft: Draft): Verdict {
  const tool = triedTool(draft);
  if (typeof tool === 'string') return { status: 'no schema', problem: tool };
  try {
    return judged(draft, tool);
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return { status: 'no schema', problem: error.message };
  }
}

const schemaKeys = ['inputSchema', 'input_schema', 'parameters', 'schema'] as const;

/** The tool, or why there is none. */
function triedTool({ schema, tool, effects }: Draft): TriedTool | string {
  if (schema.trim() === '') return 'Paste the JSON Schema of a tool, or its definition.';
  const reading = parseJson(schema);
  if (reading.kind === 'unreadable') return `The schema is not JSON: ${whyUnreadable(schema)}.`;
  if (!isJsonObject(reading.value)) return 'The schema is not a JSON object.';
  const root = reading.value;
  // OpenAI has the definition under a key of its own.
  const inner = root['function'];
  const definition = isJsonObject(inner) ? inner : root;
  const inputSchema = schemaKeys.map((key) => definition[key]).find(isSchema) ?? root;
  const name = memberOf(definition, 'name');
  const knownEffects = effects === '' ? effectsOf(root) : effects;
  return {
    name: tool !== '' ? tool : typeof name === 'string' && name !== '' ? name : 'tool',
    inputSchema,
    ...(knownEffects === undefined ? {} : { effects: knownEffects }),
  };
}

const mistakes: Readonly<Record<UnreadableReason, string>> = {
  syntax: 'it has a mistake',
  cut: 'it ends too early',
  trailing: 'more follows after its end',
  too_deep: 'it is nested too deeply',
  duplicate_key: 'it has a key twice',
};

/** What is wrong with text that isn't JSON, and where. */
function whyUnreadable(text: string): string {
  const reading = readJson(text, 'strict', maxDataDepth);
  if (reading.kind === 'read') return 'it cannot be read';
  const { reason, at } = reading;
  const lines = text.slice(0, at).split('\n');
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return `${mistakes[reason]} in line ${lines.length}, column ${column}`;
}

const isSchema = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function judged(draft: Draft, tool: TriedTool): JudgedDraft {
  const warnings: string[] = [];
  const { form, calls, left } = readDraft(draft, tool);
  const [call] = form === 'answer' ? calls : [];
  const sent = call?.arguments ?? draft.call;
  const { finishReason } = draft;
  const { name, effects, inputSchema } = tool;
  const options = {
    tool: { name, ...(effects === undefined ? {} : { effects }) },
    ...(finishReason === '' ? {} : { finishReason }),
    output: 'json',
    warn: ({ message }: SchemaWarning) => void warnings.push(message),
  } as const;
  // The first interpretation compiles the schema, which a service does once.
  interpretArguments(inputSchema, { text: sent }, options);
  const start = performance.now();
  const result = interpretArguments(inputSchema, { text: sent }, options);
  const milliseconds = performance.now() - start;
  const isLeft = form === 'answer' && call === undefined;
  const status = isLeft ? 'rejected' : result.status === 'unchanged' ? 'valid' : result.status;
  const used = isLeft || result.status === 'rejected' ? {} : { used: argumentsText(result) };
  return {
    status,
    tool: name,
    sent,
    ...used,
    repairs: isLeft ? [] : result.repairs,
    issues: isLeft ? [] : result.issues,
    message: isLeft ? (left ?? noCall(name)) : messageOf(result),
    form,
    hasOtherForm: calls.length > 0,
    ...(call === undefined ? {} : { calls: { count: calls.length, notation: call.notation } }),
    warnings,
    milliseconds,
    line: isLeft
      ? undefined
      : caseLine({
          id: 'tried',
          tool: name,
          effects,
          finishReason: finishReason === '' ? undefined : finishReason,
          schema: inputSchema,
          sent,
          ...used,
          status,
        }),
  };
}

const noCall = (name: string): string => `The answer has no call of ${name}.`;

const messageOf = (result: Interpretation<unknown>): string =>
  result.status === 'rejected' ? result.message : result.notes.map(({ text }) => text).join('\n');

/**
 * Text that is one JSON object is read as arguments, other text as an answer if there is a call in
 * it.
 */
function readDraft(draft: Draft, tool: TriedTool) {
  const { calls, leftInText } = readCalls(draft.call, [tool]);
  const isObject = parseJson(draft.call).kind === 'read';
  const looksLike: CallForm = calls.length > 0 && !isObject ? 'answer' : 'arguments';
  const form = draft.form === '' ? looksLike : draft.form;
  return { form, calls, left: leftInText[0]?.message };
}
