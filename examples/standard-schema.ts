// Passes a tool class to another SDK as a Standard Schema.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, tool } from 'ai';
import { standardSchema } from 'toolmend';
import { ReadFiles } from './read-files.ts';
import { startScriptedServer } from './scripted-server.ts';

const server = await startScriptedServer(
  { call: 'read_files', arguments: '{"file": "[\\"package.json\\"]", "limit": "2"}' },
  { text: 'It is a package.' },
);
const provider = createOpenAICompatible({ name: 'scripted', baseURL: server.baseURL });

const schema = standardSchema(ReadFiles, {
  onInterpretation: ({ status, repairs, notes }) =>
    console.log(
      status,
      repairs.map(({ rule }) => rule).join(),
      notes.map(({ text }) => text).join(),
    ),
});

const { text } = await generateText({
  model: provider('scripted'),
  prompt: 'What is in package.json?',
  stopWhen: isStepCount(3),
  tools: {
    [schema.name]: tool({
      description: schema.description,
      inputSchema: schema,
      execute: ({ paths, offset, limit }) => {
        console.log(paths, offset, limit);
        return 'text';
      },
    }),
  },
});
console.log(text);
server.close();
