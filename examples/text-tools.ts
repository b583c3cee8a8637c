// A tool whose argument is a text: OpenAI's custom tools, and a function for other providers.

// #region text
import { textTool, ToolRegistry } from 'toolmend';
import { responses } from 'toolmend/openai';

const applyPatch = textTool({
  name: 'apply_patch',
  description: 'Apply a patch to the files of the workspace.',
  argument: 'patch',
  grammar: {
    syntax: 'lark',
    definition: 'start: "*** Begin Patch\\n" /(.|\\n)+/ "*** End Patch\\n"',
  },
  execute: (patch) => `${patch.split('\n').length} lines`,
});

const tools = new ToolRegistry().register(applyPatch);
const { tools: shown, answer } = responses(tools, { customTools: true });
// #endregion
console.log(shown[0]);

// #region answer
const turn = await answer({
  model: 'gpt-5',
  status: 'completed',
  output: [
    {
      type: 'custom_tool_call',
      call_id: 'call_1',
      name: 'apply_patch',
      input: '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch\n',
    },
  ],
});
// #endregion
console.log(turn.outputs[0]);
