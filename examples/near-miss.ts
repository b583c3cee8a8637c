// Sends a valid call, a call that is almost right, and an ambiguous one.
import { toolMessage, ToolRegistry } from 'toolmend';
import { ReadFiles } from './read-files.ts';

const tools = new ToolRegistry().register(ReadFiles);

const sent = [
  '{"paths": ["package.json"], "offset": 1, "limit": 1}',
  '{"file_path": "[\\"package.json\\"]", "offset": null, "limit": 2}',
  '{"paths": "package.json, README.md"}',
];

for (const text of sent) {
  const outcome = await tools.call({ id: 'call_1', name: 'read_files', arguments: text });
  console.log('sent     ', text);
  if (outcome.status !== 'unknown_tool') {
    for (const { rule, path } of outcome.interpretation.repairs)
      console.log('repaired ', rule, path);
  }
  const { notes, text: answer } = toolMessage(outcome);
  for (const note of notes) console.log('note     ', note);
  console.log(`${outcome.status.padEnd(9)} ${answer}\n`);
}
