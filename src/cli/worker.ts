import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { printable } from '../json/preview.ts';
import type { ToolRegistry } from '../registry/tool-registry.ts';
import type { WorkerOptions } from '../background/worker.ts';
import { type Streams, parseCommand, refuseUsage, textOption, whyNoFile } from './report.ts';

export const workerUsage = `Usage: toolmend worker FILE [--concurrency N]

Runs the queued background calls of a registry, until it gets SIGTERM or SIGINT. The file is a compiled module
that exports the registry, or a function that returns it.

  --concurrency N          calls of one tool at the same time (4)
  --tenant-concurrency N   calls of one tool and one tenant at the same time, in all workers
  --close-timeout MS       milliseconds that running calls may go on after the signal (10000)
`;

interface WorkerRequest {
  readonly file: string;
  readonly options: WorkerOptions;
  readonly timeoutMs: number;
}

/** Runs a worker until a signal ends it. Exit code: 0, or 2 for wrong usage. */
export async function runWorker(args: readonly string[], streams: Streams): Promise<number> {
  const request = readRequest(args);
  if (typeof request === 'string') return refuseUsage(streams, request);
  const { file, options, timeoutMs } = request;
  const why = await whyNoFile(file);
  if (why !== undefined) return refuseUsage(streams, why);
  const registry = await registryIn(file);
  if (typeof registry === 'string') return refuseUsage(streams, registry);
  const stopSignal = Promise.withResolvers<void>();
  for (const signal of signals) process.once(signal, () => stopSignal.resolve());
  try {
    await registry.startWorker(options);
  } catch (error) {
    return refuseUsage(streams, error instanceof Error ? error.message : String(error));
  }
  streams.stderr.write(`toolmend: working\n`);
  await stopSignal.promise;
  await registry.close({ timeoutMs });
  return 0;
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** The request, or why it can't be read. */
function readRequest(args: readonly string[]): WorkerRequest | string {
  const commandLine = parseCommand('worker', args, {
    concurrency: textOption,
    'tenant-concurrency': textOption,
    'close-timeout': textOption,
  });
  if (typeof commandLine === 'string') return commandLine;
  const { positionals, values } = commandLine;
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0)
    return 'worker needs one file, as in: toolmend worker app.js';
  const flags = {
    concurrency: values.concurrency,
    tenantConcurrency: values['tenant-concurrency'],
    timeoutMs: values['close-timeout'],
  };
  const numbers: Record<string, number> = {};
  for (const [name, text] of Object.entries(flags)) {
    if (text === undefined) continue;
    if (!/^\d{1,9}$/.test(text)) return `${printable(text)} is not a number`;
    numbers[name] = Number(text);
  }
  const { timeoutMs = 10_000, ...options } = numbers;
  return { file, options, timeoutMs };
}

/** The registry that a module exports, or why there is none. */
async function registryIn(file: string): Promise<ToolRegistry | string> {
  const quotedFile = printable(file, 400);
  try {
    const module: object = await import(pathToFileURL(resolve(file)).href);
    const registries: unknown[] = Object.values(module).filter(isRegistry);
    const make: unknown = Reflect.get(module, 'default');
    if (registries.length === 0 && typeof make === 'function')
      registries.push(await Reflect.apply(make, undefined, []));
    const [registry, ...others] = new Set(registries.filter(isRegistry));
    if (registry === undefined)
      return `${quotedFile} exports no registry, and its default export is not a function that returns one\n${whatToName}`;
    return others.length === 0
      ? registry
      : `${quotedFile} exports several registries: a worker has one`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${quotedFile} can't be loaded: ${why}\n${whatToName}`;
  }
}

const whatToName =
  'Name the compiled module that exports the registry, as in: toolmend worker dist/app.js';

/** Not `instanceof`, because the application may have another installed copy. */
const isRegistry = (value: unknown): value is ToolRegistry =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'startWorker') === 'function';
