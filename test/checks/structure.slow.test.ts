import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, runScript } from './run-command.ts';
import { projectFolder } from './sample-project.ts';
import { type Files, temporaryFolder, writeFiles } from './temporary-folder.ts';

/** Runs `npm run structure` in a copy of this project with these files added or replaced. */
function structureWith(files: Files): CommandResult {
  const copy = temporaryFolder();
  for (const name of ['package.json', 'layers.config.ts', 'src', 'scripts', 'test'])
    cpSync(join(projectFolder, name), join(copy, name), { recursive: true });
  symlinkSync(join(projectFolder, 'node_modules'), join(copy, 'node_modules'));
  writeFiles(copy, files);
  return runScript(copy, 'structure');
}

const rowsThat = (verdict: 'ok' | 'FAILED', { output }: CommandResult): readonly string[] =>
  [...output.matchAll(new RegExp(`^${verdict} +(.+?) {2,}`, 'gm'))].map(([, what = '']) => what);

const measured = [
  ['lines of src without features', 'files of src without features', 'lines of scripts'],
  ['lines of test without features', 'files entered by a valid call', 'files entered from class to schema'],
  ['files entered to interpret a near-miss', 'deepest stack at the handler'],
  ['lines of the reader of broken text'],
].flat();

it('fails for each size and call over its limit, imports upwards, long files, questions as first lines, deep folders, empty names, barrels and silenced lint rules', () => {
  const script = readFileSync(join(projectFolder, 'scripts/structure.ts'), 'utf8');
  const result = structureWith({
    'scripts/structure.ts': script.replaceAll(/limit: [\d_]+/g, 'limit: 0'),
    'src/json/question.ts': '// Which names are there?\nexport const names = 1;\n',
    'src/json/two/three/deep.ts': 'export const deep = 1;\n',
    'src/json/long.ts': `import '../index.ts';\n${'//\n'.repeat(400)}`,
    'src/json/utils.ts': 'export const used = 1;\n',
    'src/json/barrel.ts': "export { names } from './question.ts';\n",
    'src/json/silenced.ts': '// oxlint-disable-next-line no-console\nexport const calm = 1;\n',
  });
  expect(rowsThat('ok', result)).toEqual([]);
  expect(rowsThat('FAILED', result)).toEqual(expect.arrayContaining(measured));
  expect(rowsThat('FAILED', result)).toHaveLength(measured.length + 7);
  expect(result.status).not.toBe(0);
});
