import { build } from 'esbuild';
import { projectFolder } from './sample-project.ts';

/** Bytes of a program that imports these names of toolmend/repair, bundled and minified with everything that it needs. */
async function bundledSize(names: string): Promise<number> {
  const { outputFiles } = await build({
    absWorkingDir: projectFolder,
    stdin: { contents: `export ${names} from './src/interpret/index.ts';`, resolveDir: projectFolder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
}

const kilobyte = 1000;

it('interpretArguments of toolmend/repair is bundled into at most 220.1 KB, and the whole entry into 245 KB', async () => {
  expect(await bundledSize('{ interpretArguments }')).toBeLessThanOrEqual(220.1 * kilobyte);
  expect(await bundledSize('*')).toBeLessThanOrEqual(245 * kilobyte);
});
