// Installs the packed package where nothing else is installed, and imports it, requires it and
// checks its types.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { parse as parseYaml } from 'yaml';
import { runToolmend } from '../cli/run-toolmend.ts';
import { freshProjects, initPackages, initProjects, testPrograms } from './init-projects.ts';
import { copyOfPackage, installPackedPackage, publishedAddress } from './packed-package.ts';
import { type CommandResult, runCommand } from './run-command.ts';
import { projectFolder, readManifest } from './project-folder.ts';
import { temporaryFolder, writeFiles } from './temporary-folder.ts';

const project = await installPackedPackage();
const installed = join(project, 'node_modules/toolmend');
const paths = readdirSync(installed, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1));

/** Runs one file in the project, whose own modules are of this type. */
function run(type: 'module' | 'commonjs', text: string): CommandResult {
  writeFiles(project, { 'package.json': JSON.stringify({ type }), 'main.js': text });
  return runCommand(project, process.execPath, ['main.js']);
}

const call = `interpretArguments({ type: 'object', properties: { limit: { type: 'integer' } } }, { text: '{"limit": 3}' })`;

describe('the tarball', () => {
  it('has these entries and no others', () => {
    const names =
      'ai-sdk ajv anthropic bedrock google journal langchain mcp mcp-client nestjs ollama openai openai-agents opentelemetry package.json repair testing';
    const entries = ['.', ...names.split(' ').map((name) => `./${name}`)];
    expect(Object.keys(readManifest(installed).exports ?? {}).toSorted()).toEqual(entries);
  });

  it('holds what was built and the documents for users, nothing else', () => {
    const outside = paths.filter((path) => !/^(dist|docs|skills)\//.test(path));
    const isBuilt = (path: string): boolean =>
      /\.(c?js|d\.ts)$/.test(path) || /^dist\/page-files\/.*\.(css|html|js|svg)\.gz$/.test(path);
    const odd = paths.filter((path) => path.startsWith('dist/') && !isBuilt(path));
    expect(outside.toSorted()).toEqual(['LICENSE', 'README.md', 'llms.txt', 'package.json']);
    expect(odd).toEqual([]);
    const documents = ['docs/README.md', 'docs/guide/mcp.md', 'docs/reference/rules.md'];
    expect(paths).toEqual(expect.arrayContaining(documents));
    expect(paths.filter((path) => path.startsWith('docs/internals'))).toEqual([]);
  });

  it('says where it comes from, and the links of its README and llms.txt lead there', () => {
    const { version, ...manifest } = Object(readManifest(installed));
    expect(manifest).toMatchObject({
      repository: { type: 'git', url: `git+${publishedAddress}.git` },
      homepage: `${publishedAddress}#readme`,
      bugs: { url: `${publishedAddress}/issues` },
    });
    for (const file of ['README.md', 'llms.txt']) {
      const text = readFileSync(join(installed, file), 'utf8');
      const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
      expect(links).toContain(`${publishedAddress}/blob/v${version}/docs/guide/getting-started.md`);
      expect(links.filter((link) => !/^(https?:|#)/.test(link))).toEqual([]);
    }
  });

  it('has at most 400 files and 3.6 MB', () => {
    const bytes = paths.reduce((sum, path) => sum + statSync(join(installed, path)).size, 0);
    expect(paths.length).toBeLessThanOrEqual(400);
    expect(bytes).toBeLessThan(3_600_000);
  });

  it("has Nest's modules under their own names, which Nest logs", () => {
    const code = readFileSync(join(installed, 'dist/adapters-nestjs.js'), 'utf8');
    expect(code).toMatch(/\bToolmendModule = class ToolmendModule /);
    expect(code).not.toMatch(/\bclass \w*Module\d/);
  });

  it('has few modules, and in each the files one after the other, with their comments', () => {
    const code = readFileSync(join(installed, 'dist/core.js'), 'utf8');
    const files = readdirSync(join(projectFolder, 'src/repair/rules')).filter((name) =>
      name.endsWith('.ts'),
    );
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) expect(code).toContain(`\n// src/repair/rules/${file}\n`);
    expect(code.split('/**').length).toBeGreaterThan(300);
    expect(code.split('\n').length).toBeGreaterThan(5_000);
  });

  it('shows the place of an error in a file that can be read', () => {
    const program = `import { defineTool } from 'toolmend';\ntry { defineTool({}); } catch (error) { console.log(error.stack); }\n`;
    const { output } = run('module', program);
    const [, path = '', line] = /at defineTool \(file:\/\/(.*):(\d+):\d+\)/.exec(output) ?? [
      output,
    ];
    expect(path).toBe(join(installed, 'dist/tools.js'));
    expect(readFileSync(path, 'utf8').split('\n')[Number(line) - 1]).toContain('throw ');
  });

  it('holds every declaration that another one imports', () => {
    const declarations = paths.filter((path) => path.endsWith('.d.ts'));
    const imported = declarations.flatMap((path) =>
      [...readFileSync(join(installed, path), 'utf8').matchAll(/'(\.\.?\/[^']+)\.[jt]s'/g)].map(
        ([, target = '']) => join(path, '..', `${target}.d.ts`),
      ),
    );
    expect(imported.length).toBeGreaterThan(declarations.length);
    expect(imported.filter((path) => !declarations.includes(path))).toEqual([]);
  });
});

describe('at run time', () => {
  const printed = '{"status":"unchanged","value":{"limit":3}}';
  const print = `const { status, value } = ${call};\nconsole.log(JSON.stringify({ status, value }));\n`;

  it.each([
    ['an ES module imports it', 'module', `import { interpretArguments } from 'toolmend';`],
    // Nothing in it awaits at the top level.
    [
      'a CommonJS module requires it',
      'commonjs',
      `const { interpretArguments } = require('toolmend');`,
    ],
  ] as const)('%s', (_title, type, load) => {
    const { status, output } = run(type, `${load}\n${print}`);
    expect(output.trim()).toBe(printed);
    expect(status).toBe(0);
  });

  it('what is no entry cannot be imported', () => {
    const { status, output } = run('module', "import 'toolmend/dist/index.js';\n");
    expect(output).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
    expect(status).not.toBe(0);
  });
});

describe('a class tool', () => {
  const head = `
    import { Field, Nested, Tool, ToolRegistry } from 'toolmend';
    const call = async (Class: new () => object, text: string) => {
      const { status, result, message } = await new ToolRegistry().register(Class).call({ id: '1', name: 'add', arguments: text });
      console.log(JSON.stringify({ status, result, message }));
    };`;
  const ownDecorators = `${head}
    class Item { @Field({ type: String }) name!: string; }
    @Tool({ description: 'Adds an item.' })
    class Add {
      @Nested(() => Item) item!: Item;
      execute() { return { isItem: this.item instanceof Item }; }
    }
    void call(Add, '{"item": {"name": "a"}, }');`;
  const theirDecorators = `${head}
    import { Transform, Type } from 'class-transformer';
    import { IsString, MinLength, ValidateNested } from 'class-validator';
    class Item { @IsString() @MinLength(2) @Transform(({ value }) => value.trim()) name!: string; }
    @Tool({ description: 'Adds an item.', transform: true })
    class Add {
      @ValidateNested() @Type(() => Item) item!: Item;
      execute() { return { isItem: this.item instanceof Item, name: this.item.name }; }
    }
    void call(Add, '{"item": {"name": " a "}}').then(() => call(Add, '{"item": {"name": "a"}}'));`;
  const modules = join(projectFolder, 'node_modules');
  const withPeers = temporaryFolder();
  cpSync(join(project, 'node_modules'), join(withPeers, 'node_modules'), { recursive: true });
  for (const name of ['class-transformer', 'class-validator', 'libphonenumber-js', 'validator'])
    cpSync(join(modules, name), join(withPeers, 'node_modules', name), { recursive: true });

  /**
   * The lines that a program prints, compiled or bundled in a folder. A whole bundle runs where no
   * package is.
   */
  function printedBy(folder: string, program: string, options: BuildOptions): readonly string[] {
    const { bundle = false, external = [], format = 'esm' } = options;
    const outdir = bundle && external.length === 0 ? temporaryFolder() : folder;
    writeFiles(folder, { 'program.ts': program });
    const type = format === 'esm' ? 'module' : 'commonjs';
    writeFiles(outdir, { 'package.json': JSON.stringify({ type }) });
    buildSync({
      absWorkingDir: folder,
      entryPoints: ['program.ts'],
      outdir,
      format,
      platform: 'node',
      tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
      logLevel: 'warning',
      ...options,
    });
    return runCommand(outdir, process.execPath, ['program.js']).output.trim().split('\n');
  }

  it('needs neither class-validator nor class-transformer', () => {
    const printed = ['{"status":"completed","result":{"isItem":true}}'];
    expect(existsSync(join(project, 'node_modules/class-validator'))).toBe(false);
    expect(printedBy(project, ownDecorators, {})).toEqual(printed);
    expect(printedBy(project, ownDecorators, { bundle: true })).toEqual(printed);
    expect(printedBy(project, ownDecorators, { bundle: true, format: 'cjs' })).toEqual(printed);
  });

  it('with transform: true says that it needs class-transformer', () => {
    const program = ownDecorators.replace("'Adds an item.'", "'Adds an item.', transform: true");
    expect(printedBy(project, program, {}).join('\n')).toContain(
      'DefinitionError: Add has transform: true, but class-transformer is not installed: install class-transformer.',
    );
  });

  it.each<readonly [string, BuildOptions]>([
    ['compiled', {}],
    ['bundled', { bundle: true }],
    ['bundled with the build for bundlers', { bundle: true, mainFields: ['module', 'main'] }],
    ['bundled as CommonJS', { bundle: true, format: 'cjs' }],
    [
      'bundled without the packages',
      { bundle: true, external: ['class-transformer', 'class-validator'] },
    ],
  ])('sees the decorators of both where they are installed: %s', (_title, options) => {
    expect(printedBy(withPeers, theirDecorators, options)).toEqual([
      '{"status":"completed","result":{"isItem":true,"name":"a"}}',
      expect.stringContaining('item.name: expected a string of at least 2 characters, got'),
    ]);
  });
});

describe('the command', () => {
  const calls = `${JSON.stringify({ schema: { properties: { limit: { type: 'integer' } } }, arguments: { limit: '3' } })}\n`;

  it('starts with npx, and reads a file', () => {
    writeFiles(project, { 'calls.jsonl': calls });
    const args = ['--no-install', 'toolmend', 'cases', 'calls.jsonl'];
    const { status, output } = runCommand(project, 'npx', args);
    expect(output).toContain('calls.jsonl:1: repaired: text_to_integer at /limit');
    expect(status).toBe(0);
  });

  it('ends quietly when the reader of its output stops', () => {
    const lines = `${calls}{\n`.repeat(20_000);
    writeFiles(project, { 'calls.jsonl': lines });
    const command = 'node_modules/.bin/toolmend cases --json calls.jsonl | head -c 10';
    expect(runCommand(project, 'sh', ['-c', command])).toEqual({
      status: 0,
      output: '{\n  "files',
    });
  });
});

describe('an older Node', () => {
  /**
   * This Node with the version of another one, and without a function that the other one doesn't
   * have.
   */
  const pretend = (version: string): string =>
    `Object.defineProperty(process.versions, 'node', { value: '${version}' });\ndelete Map.groupBy;\n`;
  const load = (version: string, module: string): CommandResult =>
    run('module', `${pretend(version)}await import('${module}');\n`);

  it('is told what toolmend needs', () => {
    const { status, output } = load('20.19.0', 'toolmend');
    expect(output).toMatch(/^Error: toolmend needs Node 22\.12 or newer; this is 20\.19\.0\.$/m);
    expect(status).toBe(1);
  });

  it('is told so by every entry before anything else is loaded', () => {
    const entries = Object.values(readManifest(installed).exports ?? {}).flatMap((entry) =>
      typeof entry === 'object' && entry !== null && 'default' in entry
        ? String(entry.default)
        : [],
    );
    expect(entries).toHaveLength(17);
    const first = /^import '(\.\.?\/)+platform\/require-node\.js';\n/;
    for (const entry of entries)
      expect(readFileSync(join(installed, entry), 'utf8')).toMatch(first);
  });

  it('is told so by the command, without a stack', () => {
    const { status, output } = load('22.11.0', join(installed, 'dist/cli/toolmend.js'));
    expect(output.trim()).toBe('toolmend needs Node 22.12 or newer; this is 22.11.0.');
    expect(status).toBe(2);
  });

  it.each(['22.12.0', '24.0.0'])('is not %s', (version) => {
    const [versionAlone] = pretend(version).split('\n');
    const result = run('module', `${versionAlone}\nawait import('toolmend');\n`);
    expect(result).toEqual({ status: 0, output: '' });
  });
});

describe('types', () => {
  const settings = JSON.stringify({
    compilerOptions: {
      module: 'nodenext',
      target: 'es2023',
      strict: true,
      noEmit: true,
      types: [],
    },
    files: ['main.mts', 'main.cts'],
  });
  const compile = (text: string): CommandResult => {
    writeFiles(project, { 'tsconfig.json': settings, 'main.mts': text, 'main.cts': text });
    return runCommand(project, process.execPath, [
      join(projectFolder, 'node_modules/typescript/bin/tsc'),
    ]);
  };

  it('resolve from an ES module and from a CommonJS module', () => {
    const text = `import { interpretArguments } from 'toolmend';\nconst status: 'unchanged' | 'repaired' | 'rejected' = ${call}.status;\nexport { status };\n`;
    expect(compile(text)).toEqual({ status: 0, output: '' });
  });

  it('are no any: a wrong use is refused in both', () => {
    const { status, output } = compile(
      `import { interpretArguments } from 'toolmend';\nexport const status: number = ${call}.status;\n`,
    );
    expect(output).toMatch(/^main.mts\(2,14\): error TS2322/m);
    expect(output).toMatch(/^main.cts\(2,14\): error TS2322/m);
    expect(status).not.toBe(0);
  });
});

test('nothing is published before its address and the date of the release are filled in', () => {
  const { status, output } = runCommand(copyOfPackage(''), 'npm', ['publish', '--dry-run']);
  expect(status).not.toBe(0);
  expect(output).toContain('Fill in the address in scripts/package-address.ts.');
});

test('the bill of materials has the package and its dependencies, and no other package', () => {
  const { status, output } = runCommand(projectFolder, process.execPath, ['scripts/sbom.ts']);
  const packages = [...output.matchAll(/"purl": "pkg:npm\/(.+)@/g)].map(([, name = '']) => name);
  expect(packages.toSorted()).toEqual(['reflect-metadata', 'tokenx', 'toolmend']);
  expect(status).toBe(0);
});

// The last tests of this file: from here on, the project has more than toolmend.
describe('what toolmend init writes compiles, and its test passes', () => {
  beforeAll(() => {
    for (const name of initPackages) {
      const link = join(project, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(projectFolder, 'node_modules', name), link);
    }
  });

  test.each(initProjects)('$kind', ({ kind, files, programs }) => {
    const folder = join(project, kind);
    writeFiles(folder, files);
    const node = (...args: readonly string[]) => runCommand(folder, process.execPath, args);
    const written = node('../node_modules/toolmend/dist/cli/toolmend.js', 'init', '--yes');
    expect({ output: written.output, status: written.status }).toMatchObject({ status: 0 });

    for (const [program = '', ...args] of programs) {
      const { output, status } = node(
        ...(program === '' ? args : [join('../node_modules', program), ...args]),
      );
      expect({ program, output, status }).toMatchObject({ status: 0 });
    }
  });

  test.each(freshProjects)('$title, after the steps that it lists', ({ manifest, hasSettings }) => {
    const folder = temporaryFolder({ 'package.json': JSON.stringify(manifest) });
    const link = (name: string, target: string): void => {
      const path = join(folder, 'node_modules', name);
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(target, path);
    };
    const node = (path: string, ...args: readonly string[]) => {
      const { output, status } = runCommand(folder, process.execPath, [path, ...args]);
      expect(status, `${path}: ${output}`).toBe(0);
      return output;
    };
    if (hasSettings) node(join(projectFolder, 'node_modules/typescript/bin/tsc'), '--init');
    const output = node(join(installed, 'dist/cli/toolmend.js'), 'init', '--yes');

    link('toolmend', installed);
    const [, names = ''] = /^ {2}npm install --save-dev (.+)$/m.exec(output) ?? [];
    const packages = [...names.split(' '), ...Object.keys(manifest.devDependencies ?? {})];
    for (const name of packages.filter((one) => one !== ''))
      link(name, join(projectFolder, 'node_modules', name));
    if (output.includes('  Set "type": "module" in package.json'))
      writeFiles(folder, { 'package.json': JSON.stringify({ ...manifest, type: 'module' }) });

    node('node_modules/typescript/bin/tsc', '--noEmit');
    const [, program = '', options = ''] = /^ {2}npx (\w+) (.+)$/m.exec(output) ?? [];
    node(`node_modules/${testPrograms[program]}`, ...options.split(' '));
  });

  test.each(['next', 'nest', 'plain-loop'])('the template %s compiles', (name) => {
    const folder = join(project, 'templates', name);
    cpSync(join(projectFolder, 'examples/templates', name), folder, { recursive: true });
    const compiler = join(project, 'node_modules/typescript/bin/tsc');
    const { output, status } = runCommand(folder, process.execPath, [compiler, '--noEmit']);
    expect({ output, status }).toEqual({ output: '', status: 0 });
    const { dependencies = {} } = readManifest(folder);
    const { version = '', devDependencies = {} } = Object(readManifest(projectFolder));
    expect(dependencies['toolmend']).toBe(`^${version}`);
    for (const [dependency, range] of Object.entries(dependencies))
      if (dependency in devDependencies)
        expect([dependency, range]).toEqual([dependency, devDependencies[dependency]]);
  });
});

test('the template gateway starts the gateway before Ollama, with options that it has', async () => {
  const path = join(projectFolder, 'examples/templates/gateway/compose.yaml');
  const { services, volumes } = parseYaml(readFileSync(path, 'utf8'));
  const words: readonly string[] = services.gateway.command.split(' ');
  const { stdout: help } = await runToolmend('gateway', '--help');

  expect(words.slice(0, 4)).toEqual(['npx', '--yes', 'toolmend', 'gateway']);
  for (const word of words.slice(4))
    if (word.startsWith('--')) expect(help).toContain(`  ${word} `);
  expect(words[words.indexOf('--upstream') + 1]).toBe('http://ollama:11434/v1');
  expect(services.gateway.ports).toEqual([`127.0.0.1:4141:${words[words.indexOf('--port') + 1]}`]);
  expect(services.gateway.environment).toHaveProperty(
    words[words.indexOf('--token-env') + 1] ?? '',
  );
  expect(services.gateway.depends_on).toEqual(['ollama']);
  expect(Object.keys(volumes)).toEqual(
    services.ollama.volumes.map((one: string) => one.split(':')[0]),
  );
});
