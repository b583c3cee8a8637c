import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../checks/project-folder.ts';

export const readProjectFile = (path: string): string =>
  readFileSync(join(projectFolder, path), 'utf8');

/** The Markdown pages of a folder of the project, by their paths. */
const pagesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => [`${folder}/${name}`, readProjectFile(`${folder}/${name}`)]),
  );

const atRoot = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

/** Every page of the documentation by its path. */
export const documents: Readonly<Record<string, string>> = {
  ...Object.fromEntries(atRoot.map((name) => [name, readProjectFile(name)])),
  ...pagesIn('docs'),
  ...pagesIn('skills'),
};

export const block = (language: string, ...lines: readonly string[]): string =>
  ['```' + language, ...lines, '```', ''].join('\n');
