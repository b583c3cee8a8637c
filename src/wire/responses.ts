// OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses
import { textAt } from '../json/members.ts';
import { functionTool } from './chat-completions.ts';
import { type CallForm, type WireApi, each } from './wire-api.ts';

export const functionCallItem: CallForm = {
  isCall: (item) => textAt(item, 'type') === 'function_call',
  isCallOrCustom: (item) => textAt(item, 'type')?.endsWith('_call') === true,
  id: ['call_id'],
  takesNewIds: true,
  name: ['name'],
  arguments: ['arguments'],
  argumentsAs: 'text',
  fixedMembers: { type: 'function_call' },
};

export const responses: WireApi = {
  answer: {
    model: ['model'],
    choices: [],
    finishReason: ['status'],
    calls: [{ at: ['output', each], form: functionCallItem }],
  },
  event: {
    model: ['response', 'model'],
    choices: [],
    finishReason: ['response', 'status'],
    calls: [{ at: ['item'], form: functionCallItem }],
  },
  history: [{ at: ['input', each], form: functionCallItem }],
  // A search for tools has its results in the input.
  tools: [
    { ...functionTool, at: ['tools', each] },
    { ...functionTool, at: ['input', each, 'tools', each] },
  ],
};
