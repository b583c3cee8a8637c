import { build } from 'esbuild';
import { projectFolder } from './project-folder.ts';

/**
 * Bytes of a program that imports these names of toolmend/repair, bundled for a browser and minified
 * with everything that it needs. Fails for a module of Node.
 */
async function bundledSize(names: string): Promise<number> {
  const { outputFiles } = await build({
    absWorkingDir: projectFolder,
    stdin: {
      contents: `export ${names} from './src/interpret/index.ts';`,
      resolveDir: projectFolder,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
}

const kilobyte = 1000;

it('interpretArguments of toolmend/repair is bundled into at most 310 KB, and the whole entry into 360 KB', async () => {
  expect(await bundledSize('{ interpretArguments }')).toBeLessThanOrEqual(310 * kilobyte);
  expect(await bundledSize('*')).toBeLessThanOrEqual(360 * kilobyte);
});
