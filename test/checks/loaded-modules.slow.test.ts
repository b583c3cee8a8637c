import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The modules that an entry's source loads, as paths in the project. */
function modulesOf(entry: string): readonly string[] {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(new URL(entry, `file://${root}`).href)});
    console.log(JSON.stringify(loaded));`;
  const args = ['--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  const loaded: readonly string[] = JSON.parse(stdout);
  return loaded.map((url) =>
    url.startsWith('file:') ? fileURLToPath(url).replace(root, '') : url,
  );
}

const packagesIn = (modules: readonly string[]): readonly string[] => [
  ...new Set(
    modules.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  ),
];

// class-transformer's is one file, the storage of its metadata. The package has a part of
// @noble/hashes in it.
const own = ['@noble/hashes', 'class-transformer', 'reflect-metadata', 'tokenx'];

const adaptersIn = (modules: readonly string[]): readonly string[] => [
  ...new Set(modules.flatMap((path) => /^src\/adapters\/([^/]+)\//.exec(path)?.[1] ?? [])),
];

it('toolmend loads its own dependencies and no adapter', () => {
  const modules = modulesOf('src/index.ts');
  expect(modules.length).toBeGreaterThan(200);
  expect(adaptersIn(modules)).toEqual([]);
  const packages = packagesIn(modules);
  expect(packages).toEqual(expect.arrayContaining(own));
  expect(packages.filter((name) => !own.includes(name))).toEqual([]);
});

it.each(['openai', 'anthropic'])('toolmend/%s loads itself and not the SDK', (name) => {
  const modules = modulesOf(`src/adapters/${name}/index.ts`);
  expect(adaptersIn(modules)).toEqual([name]);
  expect(packagesIn(modules).filter((found) => !own.includes(found))).toEqual([]);
});

it('toolmend/repair loads no decorator, and no package', () => {
  const modules = modulesOf('src/interpret/index.ts');
  expect(modules.length).toBeGreaterThan(100);
  expect(packagesIn(modules)).toEqual([]);
  const others = /^src\/(?:decorators|classes|registry|providers)\//;
  expect(modules.filter((path) => others.test(path))).toEqual([]);
});
