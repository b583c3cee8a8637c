import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../checks/project-folder.ts';
import { llmsText } from './llms-text.ts';
import { readProjectFile } from './read-documents.ts';

test('the index of the documentation becomes sections of links', () => {
  const readme = '# toolmend\n\nOne line.\nAnother line.\n\nThe rest.\n';
  const index = [
    '# Documentation\n',
    'What the pages are.\n',
    '## Guide\n',
    '- [Journal](guide/journal.md): calls that outlive the process',
    '- [Contributing](../CONTRIBUTING.md), [the standard](https://example.com)\n',
  ].join('\n');
  expect(llmsText(readme, index).split('\n')).toEqual([
    '# toolmend',
    '',
    '> One line.',
    '> Another line.',
    '',
    '- [README](README.md): the four ways to use toolmend',
    '- [Skill](skills/write-toolmend-tools/SKILL.md): how to write a tool with toolmend, for coding agents',
    '',
    '## Guide',
    '',
    '- [Journal](docs/guide/journal.md): calls that outlive the process',
    '- [Contributing](CONTRIBUTING.md), [the standard](https://example.com)',
    '',
  ]);
});

// To write the file: UPDATE_DOCS=1 npm test -- test/docs/llms-text
test('llms.txt has the pages of the index', () => {
  const text = llmsText(readProjectFile('README.md'), readProjectFile('docs/README.md'));
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(join(projectFolder, 'llms.txt'), text);
  expect(readProjectFile('llms.txt')).toBe(text);
});
