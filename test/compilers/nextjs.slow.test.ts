// Builds and starts a Next.js application with the packed package and the routes of the guide.
// Next.js comes from the registry.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startScriptedServer } from '../adapters/scripted-server.ts';
import { installPackedPackage } from '../checks/packed-package.ts';
import { type CommandResult, runCommand } from '../checks/run-command.ts';
import { writeFiles } from '../checks/temporary-folder.ts';
import { regionOf } from '../docs/doc-blocks.ts';
import { readProjectFile } from '../docs/read-documents.ts';

const packages =
  'next@16 react@19 react-dom@19 typescript@5 @types/node@24 @types/react@19 class-validator@0.15 ai@7 @ai-sdk/openai-compatible@3';

/** As `create-next-app` writes it, with the setting of the guide. */
const settings = {
  compilerOptions: {
    experimentalDecorators: true,
    target: 'es2017',
    lib: ['dom', 'dom.iterable', 'esnext'],
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    strict: true,
    noEmit: true,
    incremental: true,
    isolatedModules: true,
    skipLibCheck: true,
    esModuleInterop: true,
    resolveJsonModule: true,
    allowJs: true,
    plugins: [{ name: 'next' }],
  },
  include: ['next-env.d.ts', '**/*.ts', '**/*.tsx', '.next/types/**/*.ts'],
  exclude: ['node_modules'],
};

const routeOf = (example: string): string => regionOf(readProjectFile(example), 'route') ?? '';
const classRoute = routeOf('examples/next-class.ts');
const routes = {
  'app/api/weather/route.ts': classRoute,
  'app/api/tools/route.ts': routeOf('examples/next-definition.ts'),
};

let folder: string;

beforeAll(async () => {
  folder = await installPackedPackage();
  const install = ['install', '--no-audit', '--no-fund', ...packages.split(' ')];
  const { status, output } = runCommand(folder, 'npm', install);
  if (status !== 0) throw new Error(output);
  writeFiles(folder, {
    'tsconfig.json': JSON.stringify(settings),
    'app/layout.tsx':
      'export default ({ children }: { children: React.ReactNode }) => <html><body>{children}</body></html>;\n',
    'app/page.tsx': 'export default () => <p>Weather</p>;\n',
    ...routes,
  });
});

const build = (...options: readonly string[]): CommandResult =>
  runCommand(folder, 'node_modules/.bin/next', ['build', ...options]);

/** `next start`; its address, and how to end it. */
async function start(baseURL: string) {
  const next = spawn(
    process.execPath,
    [join(folder, 'node_modules/.bin/next'), 'start', '-p', '0'],
    {
      cwd: folder,
      env: { ...process.env, OPENAI_BASE_URL: baseURL, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  for await (const line of createInterface({ input: next.stdout })) {
    const [url] = /http:\/\/localhost:\d+/.exec(line) ?? [];
    if (url !== undefined) return { url, end: () => endOf(next) };
  }
  throw new Error('next start ended');
}

async function endOf(child: ChildProcess): Promise<void> {
  child.kill();
  if (child.exitCode === null) await once(child, 'exit');
}

const post = async (url: string, body: string): Promise<unknown> =>
  (await fetch(url, { method: 'POST', body })).json();

const weatherArguments = '{"cities":"[\\"Graz\\"]","unit":"Celsius"}';

describe.each([
  ['Turbopack', []],
  ['webpack', ['--webpack']],
])('built with %s', (_bundler, options) => {
  test('the routes of the guide offer get_weather, repair its call and run it', async () => {
    const { status, output } = build(...options);
    expect({ status, output }).toEqual({ status: 0, output: expect.any(String) });
    const model = await startScriptedServer(
      { calls: [{ id: 'call_1', name: 'get_weather', arguments: weatherArguments }] },
      { text: 'It is 21 degrees in Graz.' },
    );
    const { url, end } = await start(model.baseURL);
    try {
      const answer = await post(`${url}/api/weather`, 'How warm is it in Graz?');
      expect(answer).toEqual({ text: 'It is 21 degrees in Graz.' });
      const [first, second] = model.requests;
      expect(first.tools[0].function.name).toBe('get_weather');
      expect(second.messages.at(-1).content).toBe('["Graz: 21 celsius"]');

      const offered = await (await fetch(`${url}/api/tools`)).json();
      expect(offered).toMatchObject([{ function: { name: 'get_weather' } }]);
      const call = { id: 'call_1', name: 'get_weather', arguments: weatherArguments };
      const { text, isError } = Object(await post(`${url}/api/tools`, JSON.stringify(call)));
      expect({ text, isError }).toEqual({ text: '["Graz: 21 celsius"]', isError: false });
    } finally {
      await end();
    }
  });

  test('a class without a name for its tool ends the build with the words of the guide', () => {
    const path = 'app/api/weather/route.ts';
    writeFiles(folder, { [path]: classRoute.replace("name: 'get_weather', ", '') });
    const { status, output } = build(...options);
    writeFiles(folder, { [path]: classRoute });
    const [sentence = output] = /\w+, described as .*/.exec(output) ?? [];
    expect(status).toBe(1);
    expect(readProjectFile('docs/guide/nextjs.md')).toContain(
      `DefinitionError: ${sentence.replace(/^\w+/, 'wA')}\n`,
    );
  });
});
