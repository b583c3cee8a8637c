import { readFileSync } from 'node:fs';
import { ToolRegistry } from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { callOf, toolOf } from '../tools.ts';

it('the version in the journal is that of the package', async () => {
  const journal = await openJournal();
  await new ToolRegistry({ journal }).register(toolOf(() => 'done')).call(callOf());
  const [entry] = await journal.list({});
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  expect(manifest).toMatchObject({ version: entry?.interpreter });
});
