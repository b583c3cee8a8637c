import { open, readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { LineOutput } from '../mcp-proxy/channel.ts';
import { printable } from '../json/preview.ts';

/** What a stream that leads to a terminal says of it. */
export interface Terminal {
  readonly isTTY?: boolean;
  /** Characters of a line. */
  readonly columns?: number;
}

/** The parts of `process` that the command uses. */
export interface Streams {
  readonly stdin?: Readable;
  readonly stdout: LineOutput & Terminal;
  /** Progress is shown only on a terminal. */
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
}

/** Writes why the command can't do what was asked; returns the exit code 2. */
export function refuseUsage({ stderr }: Streams, why: string): number {
  stderr.write(`toolmend: ${why}\n`);
  return 2;
}

/**
 * What `parseArgs` threw, without its code, and without the second sentence, which explains how to
 * pass such a file name.
 */
export const whyNotParsed = (error: unknown, command: string): string =>
  `${
    String(error)
      .replace(/^\w+ \[\w+\]: /, '')
      .split('. ')[0]
  }\nRun toolmend ${command} --help to see its options.`;

export const textOption = { type: 'string' } as const;
export const flagOption = { type: 'boolean' } as const;

type ParsedCommand<Options extends NonNullable<ParseArgsConfig['options']>> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: true; options: Options }>
>;

/** The options and the other words of a command, or why they can't be read. */
export function parseCommand<const Options extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  args: readonly string[],
  options: Options,
): ParsedCommand<Options> | string {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    return whyNotParsed(error, command);
  }
}

/** The second part of what a server says when it begins to listen. */
export const audienceOf = (place: { readonly isOnAllInterfaces: boolean }): string =>
  place.isOnAllInterfaces
    ? 'It listens on all interfaces: other computers reach it under the name or an address of this one.\n'
    : '';

/** Why the first path that can't be read can't be; undefined if each path leads to a file. */
export async function whyNoFile(...paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined) return `there is no file ${printable(path, 400)}`;
    if (stats.isDirectory()) return `${printable(path, 400)} is a folder, not a file`;
    // Opening a pipe takes what is written into it.
    const error = stats.isFile() ? await openError(path) : undefined;
    if (error !== undefined) return `${printable(path, 400)} can't be read (${error})`;
  }
  return undefined;
}

const openError = async (path: string): Promise<string | undefined> => {
  try {
    await (await open(path)).close();
    return undefined;
  } catch (error) {
    return String(Reflect.get(Object(error), 'code'));
  }
};

/**
 * The settings in a file, or why they can't be read. The text is undefined if the file is absent
 * and not `isRequired`.
 */
export async function settingsText(
  path: string,
  isRequired: boolean,
): Promise<{ readonly text: string | undefined } | { readonly why: string }> {
  const isAbsent = (await stat(path).catch(() => undefined)) === undefined;
  if (isAbsent && !isRequired) return { text: undefined };
  const why = await whyNoFile(path);
  return why === undefined ? { text: await readFile(path, 'utf8') } : { why };
}

export const asJson = (report: object): string => `${JSON.stringify(report, undefined, 2)}\n`;

/** Counts by name, in the order in which the names first occur. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, times = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + times);
  }

  [Symbol.iterator](): IterableIterator<[string, number]> {
    return this.#counts.entries();
  }
}

/**
 * A table as text, with its widest cell as the width of each column. Columns after the first are
 * aligned right.
 */
export function table(
  heading: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const cells = [heading, ...rows.map((row) => row.map(String))];
  const widths = heading.map((_name, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const alignCell = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return cells.map((row) => `${row.map(alignCell).join('  ').trimEnd()}\n`).join('');
}
