import { ToolRegistry, defineTool } from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { pgliteFolder } from '../journal/pglite-folder.ts';
import { runToolmend } from './run-toolmend.ts';

const countLines = defineTool<{ readonly most: number }>({
  name: 'count_lines',
  description: 'Count lines.',
  effects: 'read',
  inputSchema: { type: 'object', properties: { most: { type: 'integer' } }, required: ['most'] },
  execute: ({ most }) => String(most),
});

test('a week of a journal has its releases, and its hints in the same counts', async () => {
  const folder = await pgliteFolder();
  const journal = await openJournal({ folder });
  const registry = new ToolRegistry({ journal, release: '1.8.0' }).register(countLines);
  const texts = ['{"most":1}', '{"most":"2"}', '{}'];
  for (let at = 0; at < 120; at += 1)
    await registry.call({
      id: `call_${at}`,
      name: 'count_lines',
      arguments: texts[at % 3],
      model: 'qwen3',
    });
  await registry.close();
  await journal.close();
  const { stdout } = await runToolmend('report', '--week', '--folder', folder);

  expect(stdout).toContain('| 120 | 40 of 120 (33.3 %, 25.5 to 42.2) |');
  expect(stdout).toContain('| 1.8.0 | 120 |');
  expect(stdout).toContain('| text_to_integer | 40 of 120 (33.3 %, 25.5 to 42.2) |');
  expect(stdout).toContain('| required /most | 40 of 120 (33.3 %, 25.5 to 42.2) |');
  expect(stdout).toContain('| most is an integer, without quotes. | 40 of 120 (33.3 %,');
  expect(stdout).toContain('| Always send most, an integer, without quotes. | 40 of 120 (33.3 %,');
});
