import { memberOf } from '../../collections/objects.ts';
import type { Model, ModelProvider, ModelRequest } from '@openai/agents';
import { checkOptions } from '../../options/check-options.ts';
import {
  type RepairToolCallsOptions,
  refusedText,
  repairByShownSchemas,
  repairToolCallsKinds,
} from '../repair-by-schema.ts';
import { objectsIn, textIn } from '../tool-turn.ts';

/**
 * A model, or a provider of models, whose function calls are repaired by the schemas that the model
 * was shown, before the SDK parses them:
 * `new Runner({ modelProvider: repairToolCalls(new OpenAIProvider()) })`. A call that can't be
 * repaired doesn't run: the SDK can't parse its arguments, which have the refusal beside them.
 * Throws a DefinitionError for an unknown or ill-valued option.
 */
export function repairToolCalls<Repaired extends Model | ModelProvider>(
  model: Repaired,
  options?: RepairToolCallsOptions,
): Repaired extends ModelProvider ? ModelProvider : Model;
export function repairToolCalls(
  model: Model | ModelProvider,
  options: RepairToolCallsOptions = {},
): Model | ModelProvider {
  checkOptions('repairToolCalls', options, repairToolCallsKinds);
  if (!('getModel' in model)) return repairingModel(model, options);
  return { getModel: async (name) => repairingModel(await model.getModel(name), options) };
}

function repairingModel(model: Model, options: RepairToolCallsOptions): Model {
  const { supportsPromptModelSelection } = model;
  return {
    ...(supportsPromptModelSelection === undefined ? {} : { supportsPromptModelSelection }),
    async getResponse(request) {
      const response = await model.getResponse(request);
      return { ...response, output: await repairedOutput(response.output, request, options) };
    },
    async *getStreamedResponse(request) {
      for await (const event of model.getStreamedResponse(request)) {
        if (event.type !== 'response_done') yield event;
        else {
          const output = await repairedOutput(event.response.output, request, options);
          yield { ...event, response: { ...event.response, output } };
        }
      }
    },
    getRetryAdvice: (args) => model.getRetryAdvice?.(args),
  };
}

function repairedOutput<Item extends object>(
  output: readonly Item[],
  { tools, handoffs }: ModelRequest,
  options: RepairToolCallsOptions,
): Promise<Item[]> {
  const schemas = new Map<string, object>([
    ...objectsIn(tools).flatMap((tool) =>
      tool.type === 'function' ? [[tool.name, Object(tool.parameters)] as const] : [],
    ),
    ...objectsIn(handoffs).map(
      ({ toolName, inputJsonSchema }) => [toolName, Object(inputJsonSchema)] as const,
    ),
  ]);
  const isHandoff = (name: string): boolean =>
    objectsIn(handoffs).some(({ toolName }) => toolName === name);
  const repairItem = async (item: Item): Promise<Item> => {
    if (memberOf(item, 'type') !== 'function_call') return item;
    const [id, name] = [textIn(memberOf(item, 'callId')), textIn(memberOf(item, 'name'))];
    // Chat Completions says `completed` of every call.
    const normalEnd = options.repairMissingEnd === true ? 'stop' : undefined;
    const finishReason = memberOf(item, 'status') === 'incomplete' ? 'incomplete' : normalEnd;
    const call = { id, name, arguments: memberOf(item, 'arguments') };
    const sentCall = finishReason === undefined ? call : { ...call, finishReason };
    const repair = await repairByShownSchemas(schemas, sentCall, options);
    if (repair.kind === 'repaired')
      return Object.assign({}, item, { name: repair.name, arguments: repair.text });
    // A handoff with unreadable arguments ends the whole run.
    return repair.kind === 'as_sent' || isHandoff(name)
      ? item
      : Object.assign({}, item, { arguments: refusedText(call.arguments, repair) });
  };
  return Promise.all(output.map(repairItem));
}
