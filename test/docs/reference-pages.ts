import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder, readManifest } from '../checks/project-folder.ts';
import { readProjectFile } from './read-documents.ts';
import {
  type OptionsType,
  type PublicName,
  optionsTypes,
  publicNames,
} from './source-reference.ts';

/** The public names by entry: `toolmend/openai`. */
export function namesByEntry(): ReadonlyMap<string, readonly PublicName[]> {
  const { name: packageName = '', exports = {} } = readManifest(projectFolder);
  return new Map(
    Object.entries(exports).flatMap(([entry, target]) =>
      typeof target === 'string'
        ? []
        : [[packageName + entry.slice(1), publicNames(sourceOf(JSON.stringify(target)))] as const],
    ),
  );
}

/** `./dist/index.d.ts` is compiled from `src/index.ts`. */
const sourceOf = (target: string): string =>
  `src/${/"\.\/dist\/([\w/-]+)\.(?:d\.ts|js)"/.exec(target)?.[1] ?? target}.ts`;

const sourcePaths = (): readonly string[] =>
  readdirSync(join(projectFolder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .map((path) => `src/${path.replaceAll('\\', '/')}`);

/**
 * Options that are checked where they are passed:
 * `checkOptions('CallMemory', options, { failureLimit: count(2) })`.
 */
export const inlineOptions = (): readonly string[] =>
  sourcePaths().flatMap((path) =>
    [...readProjectFile(path).matchAll(/checkOptions\('[\w.]+', \w+, \{(.*?)\}\)/gs)].flatMap(
      ([, kinds = '']) => [...kinds.matchAll(/(\w+):/g)].map(([, option = '']) => option),
    ),
  );

/** Every type of src whose options are checked. */
export function allOptionsTypes(): readonly OptionsType[] {
  return sourcePaths()
    .flatMap(optionsTypes)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export function exportsPage(
  names: ReturnType<typeof namesByEntry>,
  options: readonly OptionsType[],
): string {
  const optionsNames = new Set(options.map(({ name }) => name));

  const entries = [...names].map(([entry, all]) => [
    `## ${entry}`,
    ...groups.flatMap(({ title, has }) => {
      const rows = all
        .filter(has)
        .map(({ name, docstring }) => [
          optionsNames.has(name)
            ? `[\`${name}\`](options.md#${name.toLowerCase()})`
            : `\`${name}\``,
          docstring,
        ]);
      return rows.length === 0 ? [] : [`${title}:`, table(['name', 'description'], rows)];
    }),
  ]);
  const about =
    'This page is made from the docstrings. It lists every public name by the entry that exports it.';
  return page('Exports', [about, ...entries.flat()]);
}

const isDecorator = ({ name, kind }: PublicName): boolean =>
  kind === 'function' && /^[A-Z]/.test(name);

const groups: readonly { readonly title: string; readonly has: (name: PublicName) => boolean }[] = [
  { title: 'Decorators', has: isDecorator },
  { title: 'Functions', has: (name) => name.kind === 'function' && !isDecorator(name) },
  { title: 'Classes', has: ({ kind }) => kind === 'class' },
  { title: 'Values', has: ({ kind }) => kind === 'value' },
  { title: 'Types', has: ({ kind }) => kind === 'type' },
];

export function optionsPage(types: readonly OptionsType[]): string {
  const about =
    'This page is made from the docstrings. It lists the options of every options object. A misspelt or ill-valued option is ' +
    'a `DefinitionError`.';
  const sections = types.flatMap(({ name, docstring, extends: extended, options }) => [
    `## ${name}`,
    ...(docstring === '' ? [] : [docstring]),
    table(
      ['option', 'type', 'description'],
      options.map((option) => [
        `\`${option.name}\`${option.isRequired ? ' (required)' : ''}`,
        `\`${option.type}\``,
        option.docstring,
      ]),
    ),
    ...extended.map((other) => `And those of \`${other}\`.`),
  ]);
  return page('Options', [about, ...sections]);
}

const page = (title: string, parts: readonly string[]): string =>
  `${[`# ${title}`, ...parts].join('\n\n')}\n`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return ['<!-- prettier-ignore -->', ...lines].join('\n');
}
