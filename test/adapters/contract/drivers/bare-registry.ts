// The contract test without any adapter: what all others are compared with.
import { toolMessage } from 'toolmend';
import type { AdapterDriver } from '../adapter-driver.ts';
import { sampleTools } from '../sample-tools.ts';

export const bareRegistry: AdapterDriver = {
  name: 'registry',
  async run({ id, tool, text, isCut }) {
    const finishReason = isCut === true ? 'length' : 'tool_calls';
    const outcome = await sampleTools().call({ id, name: tool, arguments: text, finishReason });
    const { text: said, notes, isError } = toolMessage(outcome);
    return { text: said, notes, isError, by: 'toolmend' };
  },
};
