// Shows the arguments of a call as they come, with OpenAI's chunks.

// #region listen
import { ChatCollector } from 'toolmend/openai';

interface WriteFile {
  readonly path: string;
  readonly content: string;
}

const collector = new ChatCollector();
collector.onPartial<WriteFile>(({ tool, delta, partialArguments: { path, content } }) => {
  console.log(tool, JSON.stringify(delta), path, content?.length);
});
// #endregion

const pieces = ['', '{"path": "a.md", ', '"content": "# No', 'tes"}'];
const id = 'chatcmpl_1';
for (const piece of pieces)
  collector.add({
    id,
    object: 'chat.completion.chunk',
    created: 1,
    model: 'gpt-5',
    choices: [
      {
        index: 0,
        finish_reason: null,
        delta: {
          tool_calls: [
            { index: 0, id: 'call_1', function: { name: 'write_file', arguments: piece } },
          ],
        },
      },
    ],
  });
