// Uses a registry in an agent loop.
// #region loop
import { RepairStats, toolMessage, ToolRegistry } from 'toolmend';
import { ReadFiles } from './read-files.ts';

const stats = new RepairStats();
const tools = new ToolRegistry({ listeners: [stats] }).register(ReadFiles);

tools.schemas('openai'); // for the request's `tools`

const call = {
  id: 'call_1',
  name: 'read_files',
  arguments: '{"paths": "package.json"}',
  model: 'qwen3', // only counted
  // The provider's word. A missing closing brace is repaired only if the answer ended normally, and
  // no value has to be wrapped, dropped or filled.
  finishReason: 'tool_calls',
};
const outcome = await tools.call(call);
const { text, notes, isError } = toolMessage(outcome); // for the conversation

console.log(outcome.status, isError, notes.length, text.length > 0);
console.log(JSON.stringify(stats.snapshot()));
// #endregion
