import { settingsIn } from '../../src/gateway/gateway-options.ts';
import { serversIn } from '../../src/mcp-proxy/config.ts';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { projectFolder, readManifest } from '../checks/project-folder.ts';
import type { DocBlock } from './doc-blocks.ts';

/** The options of each command of `toolmend`, from its help. */
export type CommandOptions = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads the help of each command, which begins with `Usage: toolmend NAME`. */
export const readHelp = (helpOfCommands: readonly string[]): CommandOptions =>
  new Map(
    helpOfCommands.map((help) => [
      /^Usage: toolmend (\w+)/.exec(help)?.[1] ?? '',
      new Set(['--help', ...Array.from(help.matchAll(/--[a-z][a-z-]*/g), ([option]) => option)]),
    ]),
  );

const languages = ['sh', 'json', 'toml', 'yaml', 'ini', 'dockerfile'];

/** Commands and settings are checked here, programs and outputs in documents.slow.test.ts. */
export const isCommandOrSetting = ({ language }: DocBlock): boolean => languages.includes(language);

/** What is wrong with a block of commands or settings. Nothing is run. */
export function settingProblems(block: DocBlock, help: CommandOptions): readonly string[] {
  if (block.language === 'sh') return shellProblems(block, help);
  try {
    const commands = readSettings(block).matchAll(
      /(?:^ExecStart=|^ENTRYPOINT |"args":)([^\]\n]+)/gm,
    );
    return [...commands].flatMap(([, words = '']) =>
      toolmendProblems(words.split(/[^\w.:/-]+/), help),
    );
  } catch (error) {
    return [`can’t be read as ${block.language}: ${String(error)}`];
  }
}

/**
 * Allows `npm ci`, `npm test`, `npm start` and `npm run x`, with environment variables before them,
 * the installation of this package and of its dev dependencies, `npx toolmend` with the options of
 * its help, and the programs that the comment `<!-- commands of x, y -->` above the block names.
 */
function shellProblems({ text, origin }: DocBlock, help: CommandOptions): readonly string[] {
  const { scripts, name = '', devDependencies } = readManifest(projectFolder);
  const packages = [name, ...Object.keys(devDependencies ?? {})];
  const foreign = origin.kind === 'commands' ? origin.programs : [];
  const commands = text
    .split(/\n|&&/)
    .map((command) => command.trim().replace(/^([A-Z_]+=\S+ )+/, ''))
    .filter((command) => command !== '' && command !== 'npm ci');
  const programs = commands.map((command) => command.split(' ')[0] ?? '');
  const unused = foreign.filter((program) => !programs.includes(program));
  return [
    ...unused.map((program) => `“${program}” is not in the block`),
    ...commands.flatMap((command, index) => {
      if (foreign.includes(programs[index] ?? '')) return [];
      const words = command.split(' ');
      if (words[0] === 'npx' && words[1] === 'toolmend') return toolmendProblems(words, help);
      return isNpmCommand(command) ? [] : [`“${command}” is not a command of this project`];
    }),
  ];

  function isNpmCommand(command: string): boolean {
    const [, installed] = /^npm install (?:--save-dev )?(.+)$/.exec(command) ?? [];
    if (installed !== undefined)
      return installed.split(' ').every((wanted) => packages.includes(wanted));
    const [, , script = ''] = /^npm (run )?([\w:-]+)$/.exec(command) ?? [];
    const isShort = ['npm test', 'npm start'].includes(command);
    return (isShort || command.startsWith('npm run ')) && scripts?.[script] !== undefined;
  }
}

/** Compares the words after `toolmend` with the help: the command, and each option before `--`. */
export function toolmendProblems(
  words: readonly string[],
  help: CommandOptions,
): readonly string[] {
  const start = words.indexOf('toolmend');
  if (start === -1) return [];
  const [command = '', ...others] = words.slice(start + 1);
  if (command === '--help' || command === '--version') return [];
  const options = help.get(command);
  if (options === undefined) return [`toolmend has no command “${command}”`];
  const end = others.indexOf('--');
  return (end === -1 ? others : others.slice(0, end))
    .filter((word) => word.startsWith('--') && !options.has(word))
    .map((word) => `toolmend ${command} has no option “${word}”`);
}

/**
 * The text, JSON in one line. Throws if it can't be read; toolmend.config.json is read as toolmend
 * reads it.
 */
function readSettings({ language, text }: DocBlock): string {
  if (language === 'toml') parseToml(text);
  if (language === 'yaml') parseYaml(text);
  if (language !== 'json') return text;
  const settings: object = JSON.parse(text);
  if ('gateway' in settings || 'mcp' in settings) settingsIn(text);
  // Variables are filled from the environment when the proxy starts.
  if ('mcp' in settings) serversIn(text.replaceAll(/\$\{\w+\}/g, 'x'), 'toolmend.config.json');
  return JSON.stringify(settings);
}
