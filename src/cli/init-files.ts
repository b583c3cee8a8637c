// What `toolmend init` writes: a tool, a test, and settings of the compiler.
import {
  type PackageManager,
  type Project,
  type ProjectKind,
  hasMember,
  namesNodeTypes,
  readsNoExports,
  settingOf,
} from './init-project.ts';

export interface ProjectFile {
  /** Relative to the project's folder. */
  readonly path: string;
  /** undefined: the file is new. */
  readonly before: string | undefined;
  readonly text: string;
}

export interface InitPlan {
  readonly files: readonly ProjectFile[];
  /** What is left to do by hand, a sentence or a command each. */
  readonly nextSteps: readonly string[];
}

/** The files of a project. Those that exist already are sorted out by the caller. */
export function planFor(project: Project): InitPlan {
  const { kind } = project;
  const folder = sourceFolder(project);
  const tool = `${folder}get-weather${kind === 'javascript' ? '.mjs' : '.ts'}`;
  const settings = settingsOf(project);
  const parts = [
    { path: tool, before: undefined, text: toolTexts[kind] },
    { path: testPath(tool, kind), before: undefined, text: testOf(project) },
    ...(kind === 'nest'
      ? [{ path: `${folder}tools.module.ts`, before: undefined, text: nestModule(project) }]
      : []),
  ];
  return {
    files: [...parts, ...settings.files],
    nextSteps: [...installsOf(project), ...settings.problems, ...stepsOf(project, tool)],
  };
}

const commands: Readonly<
  Record<PackageManager, { readonly add: string; readonly addDev: string; readonly run: string }>
> = {
  npm: { add: 'npm install', addDev: 'npm install --save-dev', run: 'npx' },
  pnpm: { add: 'pnpm add', addDev: 'pnpm add --save-dev', run: 'pnpm exec' },
  yarn: { add: 'yarn add', addDev: 'yarn add --dev', run: 'yarn' },
  bun: { add: 'bun add', addDev: 'bun add --dev', run: 'bunx' },
};

/** The commands that install what the written files need and the project lacks. */
function installsOf(project: Project): readonly string[] {
  const { kind, testRunner, packages, packageManager } = project;
  const wantedTools =
    kind === 'javascript'
      ? []
      : [
          ...(testRunner === 'node:test' ? ['tsx'] : []),
          'typescript',
          ...(needsNodeTypes(project) ? ['@types/node'] : []),
        ];
  const absentTools = wantedTools.filter((name) => !packages.has(name));
  const { add, addDev } = commands[packageManager];
  return [
    ...(packages.has('toolmend') ? [] : [`${add} toolmend`]),
    ...(absentTools.length === 0 ? [] : [`${addDev} ${absentTools.join(' ')}`]),
  ];
}

/** A test for Node's runner imports its modules, and new settings name the types. */
const needsNodeTypes = ({ testRunner, compilerSettings }: Project): boolean =>
  testRunner === 'node:test' || compilerSettings === undefined;

function sourceFolder({ kind, hasSourceFolder }: Project): string {
  const sources = hasSourceFolder ? 'src/' : '';
  if (kind === 'nest') return 'src/tools/';
  return kind === 'next' ? `${sources}lib/` : sources;
}

const testPath = (tool: string, kind: ProjectKind): string =>
  tool.replace(/\.(m?[jt]s)$/, kind === 'nest' ? '.spec.$1' : '.test.$1');

const toolClass = `@Tool({ name: 'get_weather', description: 'Get the weather of cities.', effects: 'read' })
export class GetWeather {
  @ArrayOf(String)
  cities!: string[];

  @EnumOf(['celsius', 'fahrenheit'])
  unit!: 'celsius' | 'fahrenheit';

  execute(): string[] {
    return this.cities.map((city) => \`\${city}: 21 \${this.unit}\`);
  }
}
`;

const classWithRegistry = `import { ArrayOf, EnumOf, Tool, ToolRegistry } from 'toolmend';

${toolClass}
export const tools = new ToolRegistry().register(GetWeather);
`;

const toolTexts: Readonly<Record<ProjectKind, string>> = {
  nest: `import { ArrayOf, EnumOf, Tool } from 'toolmend';\n\n${toolClass}`,
  next: classWithRegistry,
  typescript: classWithRegistry,
  'ai-sdk': `import { ArrayOf, EnumOf, Tool, ToolRegistry } from 'toolmend';
import { toAiSdk } from 'toolmend/ai-sdk';

${toolClass}
export const tools = new ToolRegistry().register(GetWeather);

/** generateText({ model, prompt, ...aiSdkTools }) */
export const aiSdkTools = toAiSdk(tools);
`,
  javascript: `import { defineTool, ToolRegistry } from 'toolmend';

const getWeather = defineTool({
  name: 'get_weather',
  description: 'Get the weather of cities.',
  effects: 'read',
  inputSchema: {
    type: 'object',
    properties: {
      cities: { type: 'array', items: { type: 'string' } },
      unit: { enum: ['celsius', 'fahrenheit'] },
    },
    required: ['cities', 'unit'],
  },
  execute: ({ cities, unit }) => cities.map((city) => \`\${city}: 21 \${unit}\`),
});

export const tools = new ToolRegistry().register(getWeather);
`,
};

const nestModule = ({
  importExtension,
}: Project): string => `import { Module } from '@nestjs/common';
import { ToolmendModule } from 'toolmend/nestjs';
import { GetWeather } from './get-weather${importExtension}';

@Module({ imports: [ToolmendModule.forRoot()], providers: [GetWeather] })
export class ToolsModule {}
`;

/** The same call in every project: an array as text, and a word in another case. */
function testOf({ kind, testRunner, importExtension }: Project): string {
  const extension = kind === 'javascript' ? '.mjs' : importExtension;
  const ownName = kind === 'nest' ? 'GetWeather' : 'tools';
  const imports = {
    vitest: "import { expect, test } from 'vitest';\n",
    jest: '',
    'node:test': "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n",
  };
  const registry = kind === 'nest' ? 'new ToolRegistry().register(GetWeather)' : 'tools';
  const expectation =
    testRunner === 'node:test'
      ? `assert.equal(text, '["Graz: 21 celsius"]');`
      : `expect(text).toBe('["Graz: 21 celsius"]');`;
  return `${imports[testRunner]}import { ${kind === 'nest' ? 'toolMessage, ToolRegistry' : 'toolMessage'} } from 'toolmend';
import { ${ownName} } from './get-weather${extension}';

test('an array that the model sent as text is repaired', async () => {
  const outcome = await ${registry}.call({
    id: 'call_1',
    name: 'get_weather',
    arguments: '{"cities":"[\\\\"Graz\\\\"]","unit":"Celsius"}',
  });
  const { text } = toolMessage(outcome);

  ${expectation}
});
`;
}

/** A tsconfig.json with which tsc compiles decorators and a test for Node. */
const newSettings = `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "strict": true,
    "skipLibCheck": true,
    "types": ["node"]
  }
}
`;

interface SettingsPlan {
  readonly files: readonly ProjectFile[];
  readonly problems: readonly string[];
}

function settingsOf(project: Project): SettingsPlan {
  const { kind, testRunner, compilerSettings } = project;
  if (kind === 'javascript') return { files: [], problems: [] };
  const settings = compilerSettings ?? newSettings;
  const wantedOptions = [
    // Bundlers and Nest compile no standard decorators.
    ...(kind === 'nest' || kind === 'next' || testRunner === 'vitest'
      ? ['experimentalDecorators']
      : []),
    // Nest injects by the types of constructor parameters.
    ...(kind === 'nest' ? ['emitDecoratorMetadata'] : []),
    // The SDK's types need packages that it doesn't install.
    ...(kind === 'ai-sdk' ? ['skipLibCheck'] : []),
  ];
  const absent = wantedOptions.filter((option) => settingOf(settings, option) === 'absent');
  const contradictedOptions = wantedOptions.filter(
    (option) => settingOf(settings, option) === 'other',
  );
  const withOptions = withSettings(settings, absent);
  const unset = withOptions === undefined ? absent : [];
  const withoutTypes = withOptions ?? settings;
  const text = needsNodeTypes(project) ? withNodeTypes(withoutTypes) : withoutTypes;
  const lacksTypes = needsNodeTypes(project) && !namesNodeTypes(text);
  return {
    files:
      text === compilerSettings ? [] : [{ path: 'tsconfig.json', before: compilerSettings, text }],
    problems: [
      ...[...contradictedOptions, ...unset].map(
        (option) => `Set "${option}": true in the compilerOptions of tsconfig.json.`,
      ),
      ...(lacksTypes
        ? ['Add "node" to the list "types" in the compilerOptions of tsconfig.json.']
        : []),
      ...(project.needsModuleType
        ? [
            'Set "type": "module" in package.json: "verbatimModuleSyntax" allows imports in ES modules only.',
          ]
        : []),
      ...(kind === 'nest' && readsNoExports(settings)
        ? [
            'Set "module": "nodenext" in tsconfig.json, as new Nest projects have it: "commonjs" finds no toolmend/nestjs before TypeScript 6.',
          ]
        : []),
    ],
  };
}

/**
 * With the types of Node in the list of types. Settings without a list get one, unless others that
 * they extend may have it.
 */
function withNodeTypes(settings: string): string {
  if (namesNodeTypes(settings)) return settings;
  if (!hasMember(settings, 'types'))
    return hasMember(settings, 'extends')
      ? settings
      : (withLines(settings, ['"types": ["node"]']) ?? settings);
  return settings.replace(
    /^([ \t]*"types"\s*:\s*\[)\s*(\]?)/m,
    (_all, opening: string, closing: string) =>
      `${opening}"node"${closing === '' ? ', ' : closing}`,
  );
}

const withSettings = (settings: string, options: readonly string[]): string | undefined =>
  withLines(
    settings,
    options.map((option) => `"${option}": true`),
  );

/** undefined: the text has no object of compilerOptions to which a line can be added. */
function withLines(settings: string, members: readonly string[]): string | undefined {
  const opening = /^([ \t]*)"compilerOptions"\s*:\s*\{[ \t]*\r?\n/m.exec(settings);
  if (opening === null) return undefined;
  const end = opening.index + opening[0].length;
  const indent = /^[ \t]+/.exec(settings.slice(end))?.[0] ?? `${opening[1] ?? ''}  `;
  const lines = members.map((member) => `${indent}${member},\n`);
  return settings.slice(0, end) + lines.join('') + settings.slice(end);
}

function stepsOf({ kind, testRunner, packageManager }: Project, tool: string): readonly string[] {
  const test = testPath(tool, kind);
  const { run } = commands[packageManager];
  const runTest = {
    vitest: `${run} vitest run ${test}`,
    // Jest loads an ES module only with this flag: https://jestjs.io/docs/ecmascript-modules
    jest: `node --experimental-vm-modules node_modules/jest/bin/jest.js ${test}`,
    'node:test': kind === 'javascript' ? `node --test ${test}` : `${run} tsx --test ${test}`,
  };
  const uses: Readonly<Record<ProjectKind, string>> = {
    nest: 'Add ToolsModule to the imports of your AppModule, and inject ToolRegistry where your loop is.',
    next: 'Use tools in a route handler: docs/guide/nextjs.md',
    'ai-sdk': 'Spread aiSdkTools into generateText or streamText: docs/guide/ai-sdk.md',
    typescript: "Offer tools.schemas('openai') to your model, and give each call to tools.call.",
    javascript: "Offer tools.schemas('openai') to your model, and give each call to tools.call.",
  };
  return [runTest[testRunner], uses[kind]];
}
