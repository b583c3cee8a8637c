import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { printable } from '../json/preview.ts';
import { LineReader } from '../network/line-reader.ts';

/** One side of a connection: JSON texts in both directions. */
export interface Channel {
  /**
   * Gives each message to `receive`, one after the other. Resolves when the other side has ended.
   * Called once.
   */
  run(receive: (text: string) => void | Promise<void>): Promise<void>;
  /**
   * Never rejects: what is sent to a side that has ended is lost. `headers`: of a call over HTTP.
   */
  send(text: string, headers?: Readonly<Record<string, string>>): Promise<void>;
  /** How a process ended, as the rest of a sentence. */
  readonly exit?: Promise<string>;
  close(): Promise<void>;
}

/** The parts of a writable stream that messages need. */
export interface LineOutput {
  write(text: string): unknown;
  once?(event: 'drain' | 'close', listener: () => void): unknown;
  off?(event: 'drain' | 'close', listener: () => void): unknown;
}

/**
 * How a process has ended; undefined while it runs. A client that leaves at once may be gone before
 * the output of a server that could not be started has ended.
 */
export const exitUntilNow = ({ exit }: Channel): Promise<string | undefined> =>
  Promise.race([exit, Promise.resolve(undefined)]);

/** Characters of one line. A longer one ends the connection. */
const longestLine = 64 * 1024 * 1024;

/**
 * Messages as lines of text:
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
 */
export function lineChannel(input: Readable, output: LineOutput): Channel {
  return {
    async run(receive) {
      input.setEncoding('utf8');
      const lines = new LineReader('line_feed');
      try {
        for await (const chunk of input) {
          for (const line of lines.add(String(chunk))) if (line.trim() !== '') await receive(line);
          if (lines.rest.length > longestLine) return;
        }
        if (lines.rest.trim() !== '') await receive(lines.rest);
      } catch {
        // A stream that breaks has ended.
      }
    },
    async send(text) {
      // A message in several lines would be several messages.
      const line = `${text.replace(/[\r\n]+/g, ' ')}\n`;
      if (output.write(line) !== false) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      for (const event of ['drain', 'close'] as const) output.once?.(event, resolve);
      await promise;
      for (const event of ['drain', 'close'] as const) output.off?.(event, resolve);
    },
    close() {
      input.destroy();
      return Promise.resolve();
    },
  };
}

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/**
 * Milliseconds that a server has to end after its input was closed, and after it was asked to
 * terminate.
 */
const patienceMs = 2_000;

/** Starts a server. Its environment is `env` alone, and its standard error goes to ours. */
export function startServer({ command, args, env, cwd }: ServerCommand): Channel {
  const child = spawn(command, [...args], {
    env: { ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['pipe', 'pipe', 'inherit'],
    windowsHide: true,
  });
  const exit = endOf(child, programText(command, cwd));
  const lines = lineChannel(child.stdout, child.stdin);
  // Writing to a process that has ended fails; `exit` says so.
  child.stdin.on('error', () => undefined);
  return {
    exit,
    run: (receive) => lines.run(receive),
    send: (text) => Promise.race([lines.send(text), exit.then(() => undefined)]),
    async close() {
      child.stdin.end();
      if (await endsWithin(exit, patienceMs)) return;
      child.kill('SIGTERM');
      if (await endsWithin(exit, patienceMs)) return;
      child.kill('SIGKILL');
      await exit;
    },
  };
}

const programText = (command: string, cwd: string | undefined): string =>
  `${printable(command, 400)}${cwd === undefined ? '' : ` in ${printable(cwd, 400)}`}`;

const endOf = (child: ChildProcess, program: string): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve(`could not be started: ${whyNotStarted(error, program)}`),
    );
    child.once('close', (code, signal) =>
      resolve(code === null ? `was ended by ${String(signal)}` : `ended with exit code ${code}`),
    );
  });

function whyNotStarted({ code, message }: NodeJS.ErrnoException, program: string): string {
  if (code === 'ENOENT') return `there is no program ${program}, install it or write its path`;
  return code === 'EACCES' ? `${program} is not a program that may be run` : message;
}

async function endsWithin(exit: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const isEnded = await Promise.race([exit.then(() => true), late]);
  clearTimeout(timer);
  return isEnded;
}

/** Variables that every child process gets, as the SDK's `getDefaultEnvironment` names them. */
const inheritedVariables =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PROCESSOR_ARCHITECTURE',
        'PROGRAMFILES',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'USERNAME',
        'USERPROFILE',
      ]
    : ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];

/**
 * The default variables and those that are listed, of our own environment. Shell functions are left
 * out.
 */
export function environmentOf(names: readonly string[]): Readonly<Record<string, string>> {
  const entries = [...inheritedVariables, ...names].flatMap((name) => {
    const value = process.env[name];
    return value === undefined || (value.startsWith('()') && !names.includes(name))
      ? []
      : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The first variable in a text, as in `${NAME}`, that the environment lacks. */
export const missingVariable = (text: string): string | undefined =>
  Array.from(text.matchAll(variable), ([, name = '']) => name).find(
    (name) => process.env[name] === undefined,
  );

/**
 * Replaces `${NAME}` by that variable of the environment. Secrets needn't be written into
 * arguments.
 */
export const fillVariables = (text: string): string =>
  text.replaceAll(variable, (_all, name: string) => process.env[name] ?? '');

const variable = /\$\{(\w+)\}/g;
