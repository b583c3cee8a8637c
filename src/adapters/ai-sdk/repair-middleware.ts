import { memberOf } from '../../collections/objects.ts';
import type { LanguageModelMiddleware } from 'ai';
import { checkOptions } from '../../options/check-options.ts';
import { earlierFinishReason } from '../../text/decode-arguments.ts';
import {
  type RepairToolCallsOptions,
  refusedText,
  repairByShownSchemas,
  repairToolCallsKinds,
} from '../repair-by-schema.ts';
import { objectsIn, textIn } from '../tool-turn.ts';

type Wrapped = Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0];
type Content = Awaited<ReturnType<Wrapped['doGenerate']>>['content'][number];
type CallPart = Extract<Content, { type: 'tool-call' }>;

/**
 * A middleware for `wrapLanguageModel` that repairs the calls of a model by the schemas that it was
 * shown, before the SDK sees them. Unlike `repairToolCalls` it also sees calls that the SDK's own
 * parse accepts. A call that can't be repaired doesn't run: the SDK can't parse its arguments,
 * which have the refusal beside them. Throws a DefinitionError for an unknown or ill-valued option.
 */
export function repairMiddleware(options: RepairToolCallsOptions = {}): LanguageModelMiddleware {
  checkOptions('repairMiddleware', options, repairToolCallsKinds);
  return {
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const repair = repairFor(params, options);
      const reason = wordOf(result.finishReason);
      const last = result.content.findLast(({ type }) => type === 'tool-call');
      const content = await Promise.all(
        result.content.map(async (part) =>
          part.type === 'tool-call'
            ? repair(part, part === last ? reason : earlierFinishReason(reason))
            : part,
        ),
      );
      return { ...result, content };
    },
    async wrapStream({ doStream, params }) {
      const result = await doStream();
      const repair = repairFor(params, options);
      // The reason comes after the calls.
      const reason = options.repairMissingEnd === true ? 'stop' : undefined;
      const repairStream = new TransformStream<StreamPart, StreamPart>({
        async transform(part, controller) {
          controller.enqueue(part.type === 'tool-call' ? await repair(part, reason) : part);
        },
      });
      return { ...result, stream: result.stream.pipeThrough(repairStream) };
    },
  };
}

type StreamPart =
  Awaited<ReturnType<Wrapped['doStream']>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never;

/** A string before AI SDK 6. */
const wordOf = (reason: unknown): string | undefined =>
  textIn(memberOf(reason, 'unified') ?? reason) || undefined;

function repairFor(
  { tools }: Wrapped['params'],
  options: RepairToolCallsOptions,
): (part: CallPart, finishReason: string | undefined) => Promise<CallPart> {
  const schemas = new Map(
    objectsIn(tools).flatMap((tool) =>
      tool.type === 'function' ? [[tool.name, Object(tool.inputSchema)] as const] : [],
    ),
  );
  return async (part, finishReason) => {
    // The provider runs these calls itself.
    if (part.providerExecuted === true) return part;
    const { toolCallId: id, toolName: name, input } = part;
    const end = finishReason === undefined ? {} : { finishReason };
    const repair = await repairByShownSchemas(
      schemas,
      { id, name, arguments: input, ...end },
      options,
    );
    if (repair.kind === 'repaired') return { ...part, toolName: repair.name, input: repair.text };
    return repair.kind === 'as_sent'
      ? part
      : { ...part, input: textIn(refusedText(input, repair)) };
  };
}
