import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../checks/project-folder.ts';
import { readProjectFile } from './read-documents.ts';
import {
  allOptionsTypes,
  exportsPage,
  inlineOptions,
  namesByEntry,
  optionsPage,
} from './reference-pages.ts';

const names = namesByEntry();
const types = allOptionsTypes();

// To write the pages: UPDATE_DOCS=1 npm test -- test/docs/reference.test.ts
test.each([
  ['docs/reference/exports.md', exportsPage(names, types)],
  ['docs/reference/options.md', optionsPage(types)],
])('%s says what the docstrings say', (path, page) => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(join(projectFolder, path), page);
  expect(readProjectFile(path)).toBe(page);
});

test('every public name and every option has a docstring', () => {
  const isSilent = ({ docstring }: { readonly docstring: string }): boolean => docstring === '';
  const silent = [...names.values()].flat().filter(isSilent);
  expect(silent.map(({ name }) => name)).toEqual([]);
  const options = types.flatMap((type) =>
    type.options.map((option) => ({ ...option, of: type.name })),
  );
  expect(options.filter(isSilent).map(({ of, name }) => `${of}.${name}`)).toEqual([]);
});

test('docs/reference/api.md names the options of functions whose options have no type of their own', () => {
  const inline = inlineOptions();
  const page = readProjectFile('docs/reference/api.md');
  expect(inline).toContain('failureLimit');
  expect(inline.filter((option) => !page.includes(`\`${option}\``))).toEqual([]);
});
