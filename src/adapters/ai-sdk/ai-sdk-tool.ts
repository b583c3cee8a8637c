// How does one tool of a registry stand in the SDK's set of tools?
import { jsonSchema, type JSONSchema7, type Tool, type ToolExecutionOptions } from 'ai';
import type { ToolContract } from '../../contract/tool-contract.ts';
import type { ShownTool } from '../../dialects/shown-tool.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import type { AiSdkOptions } from './ai-sdk-options.ts';
import { inputAsInterpreted } from '../../registry/foreign-loop/input-as-interpreted.ts';
import { runCall } from './run-call.ts';
import type { SentCalls } from '../../registry/foreign-loop/sent-calls.ts';
import { type AiSdkOutput, modelOutput, outputSchemaOf, preliminaryOutput } from './tool-output.ts';

export type AiSdkTool = Tool<JsonObject, AiSdkOutput>;

/** What the tools of one set have in common. */
export interface ToolSource {
  readonly tools: ToolSet;
  readonly sent: SentCalls;
  readonly options: AiSdkOptions;
}

export function aiSdkTool(shown: ShownTool, contract: ToolContract, source: ToolSource): AiSdkTool {
  const { name, description, inputSchema } = shown;
  const { execution } = contract;
  return {
    description,
    metadata: metadataOf(contract),
    inputSchema: jsonSchema<JsonObject>(schemaCopy(inputSchema), {
      validate: (value) => ({ success: true, value: interpretedInput(name, value, source) }),
    }),
    outputSchema: jsonSchema<AiSdkOutput>(schemaCopy(outputSchemaOf(execution?.outputSchema))),
    execute: (input, running) => executed(name, input, running, source),
    toModelOutput: ({ output }) => modelOutput(output),
  };
}

/** Not sent to the model: it stands beside each call, for those who show calls to people. */
const metadataOf = ({ title, effects }: ToolContract): NonNullable<AiSdkTool['metadata']> => ({
  ...(title === undefined ? {} : { title }),
  ...(effects === undefined ? {} : { effects }),
});

/** Nothing is refused here: the registry answers what is wrong, in its own words, when the SDK runs the call. */
function interpretedInput(name: string, value: unknown, { tools, sent }: ToolSource): JsonObject {
  const interpreted = tools.interpret({ id: '', name, arguments: value });
  const input = inputAsInterpreted(tools, interpreted);
  if (input !== value) sent.keepValue(input, value);
  return input;
}

function executed(
  name: string,
  input: JsonObject,
  {
    toolCallId,
    messages,
    abortSignal,
  }: Pick<ToolExecutionOptions<unknown>, 'toolCallId' | 'messages' | 'abortSignal'>,
  { tools, sent, options }: ToolSource,
): Promise<AiSdkOutput> | AsyncIterable<AiSdkOutput> {
  const call = sent.callOf(toolCallId, name, input);
  const { progress } = options;
  const run = (told: ((update: unknown) => unknown) | undefined): Promise<AiSdkOutput> =>
    runCall(tools, { call, input, toolCallId, messages, abortSignal, progress: told }, options);
  if (progress === 'preliminary') return withPreliminary(run);
  return run(progress === undefined ? undefined : (update) => progress(update, call));
}

/** The SDK takes each value as preliminary, and the last one as the result too. */
const withPreliminary = (
  run: (told: (update: unknown) => void) => Promise<AiSdkOutput>,
): AsyncIterable<AiSdkOutput> =>
  new ReadableStream<AiSdkOutput>({
    async start(controller) {
      controller.enqueue(await run((update) => controller.enqueue(preliminaryOutput(update))));
      controller.close();
    },
  });

/** A JSON object is a schema as far as types go. Copied: providers may write to it. */
function schemaCopy(schema: object): JSONSchema7 {
  const copy: unknown = structuredClone(schema);
  if (!isSchema(copy)) throw new TypeError('a schema is an object');
  return copy;
}

const isSchema = (value: unknown): value is JSONSchema7 => typeof value === 'object' && value !== null;
