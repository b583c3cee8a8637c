// Prints the sizes of the project and the files that a call enters; fails if a number exceeds its limit.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector';
import { join, matchesGlob } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ArrayMaxSize, IsInt, IsOptional, Min } from 'class-validator';
import * as toolmend from '../src/index.ts';

const { Alias, ArrayOf, Describe, Field, PathField, Tool } = toolmend;

const root = join(import.meta.dirname, '..');
const entered = coverageOf(pathToFileURL(join(root, 'src/')).href);

/** Files of src and test for features that came after 0.1. The targets for lines and files are those of the rest. */
const features = [
  'adapters/{ai-sdk/repair-*,bedrock/*,google/*,langchain/repair-*,nestjs/toolmend-health,mcp/{first-sdk,remote-task,serve-tasks,task-tools,tasks},ollama/*,openai-agents/*,openai/failed-generation,repair-by-schema}',
  'cli/{gateway,journal,mcp,replay,report-calls,worker}',
  'execute/{approval-store,background-call,call-limits,job-queue,journal,stored-outcome}',
  '{gateway,journal}/**',
  'interpret/{announcements,bare-schema,call-context,call-markers,call-scanner,index,library-validation,read-calls}',
  'json/json-edits',
  'providers/{deepseek,grammar}',
  'registry/{answer-reader,background,background/*,journal/*,late-results,parse-as,resume-regularly,start-limits}',
  'repair/{choose-reading,contract-rules,notations/*,raw-text,readings/*,text-rules/readings}',
  'schema/{formats,from-schema-type,input-schema,library-issues,linear-pattern,pattern-syntax,schema-libraries}',
  'tool/{library-schemas,own-rule,rule-choice,schema-validation,time-limits}',
];
const isCore = ({ path }: SourceFile): boolean =>
  !features.some((pattern) => matchesGlob(path.replace(/(\.(slow|property))?(\.test)?\.ts$/, ''), pattern));

const src = filesIn('src');
const core = src.filter(isCore);
const coreTests = filesIn('test').filter(isCore);
const isEntry = (path: string): boolean => /(^|\/)index\.ts$/.test(path);
const countFiles = (matches: (file: SourceFile) => boolean): number => src.filter(matches).length;
const calls = await measureCalls();

/** `limit` is what must not be exceeded now, `target` what is aimed at. */
const rows: readonly { what: string; now: number; limit: number; target: number }[] = [
  { what: 'lines of src without features', now: linesOf(core), limit: 29_200, target: 24_000 },
  { what: 'files of src without features', now: core.length, limit: 195, target: 200 },
  { what: 'lines of scripts', now: linesOf(filesIn('scripts')), limit: 790, target: 800 },
  { what: 'lines of test without features', now: linesOf(coreTests), limit: 27_470, target: 28_000 },
  {
    what: 'lines of the reader of broken text',
    now: linesOf(src.filter(({ path }) => path.startsWith('repair/readings/'))),
    limit: 699,
    target: 699,
  },
  { what: 'files entered by a valid call', now: calls.valid, limit: 20, target: 20 },
  { what: 'files entered to interpret a near-miss', now: calls.repaired, limit: 30, target: 30 },
  { what: 'files entered from class to schema', now: calls.registered, limit: 40, target: 40 },
  { what: 'deepest stack at the handler', now: calls.frames, limit: 12, target: 12 },
  {
    what: 'files of src of more than 400 lines',
    now: countFiles(({ text }) => text.trimEnd().split('\n').length > 400),
    limit: 0,
    target: 0,
  },
  { what: 'imports that `npm run layers` refuses', now: refusedImports(), limit: 0, target: 0 },
  {
    what: 'files of src that open with a question',
    now: countFiles(({ text }) => /^\/.*\?(\s|$)/.test(text.split('\n', 1)[0] ?? '')),
    limit: 0,
    target: 0,
  },
  {
    what: 'files of src below more than two folders',
    now: countFiles(({ path }) => path.split('/').length > 3),
    limit: 0,
    target: 0,
  },
  {
    what: 'files of src named utils, common, core or helpers',
    now: countFiles(({ path }) => /(^|\/)(utils|common|core|helpers)(\/|\.ts$)/.test(path)),
    limit: 0,
    target: 0,
  },
  {
    what: 'files of src that pass on exports, entries excepted',
    now: countFiles(({ path, text }) => !isEntry(path) && /^export [^;=]*\bfrom '/m.test(text)),
    limit: 0,
    target: 0,
  },
  {
    what: 'files of src that disable a lint rule without a reason',
    now: countFiles(({ text }) => /lint-disable(?!.* -- \S)/.test(text)),
    limit: 0,
    target: 0,
  },
];

console.log(`${'structure'.padEnd(58)}    now  limit target`);
for (const { what, now, limit, target } of rows) {
  const numbers = [now, limit, target].map((number) => String(number).padStart(6)).join(' ');
  console.log(`${now > limit ? 'FAILED ' : 'ok     '}${what.padEnd(51)} ${numbers}`);
}
if (rows.some(({ now, limit }) => !(now <= limit))) process.exitCode = 1;

interface SourceFile {
  /** Relative to its folder. */
  readonly path: string;
  readonly text: string;
}

function filesIn(folder: string): readonly SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[cm]?ts$|\.mjs$/.test(path))
    .map((path) => ({
      path: path.replaceAll('\\', '/'),
      text: readFileSync(join(root, folder, path), 'utf8'),
    }));
}

function linesOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0);
}

function refusedImports(): number {
  const args = ['oxlint', '-c', 'layers.config.ts', '--format', 'json', 'src'];
  const { stdout } = spawnSync('npx', args, { cwd: root, encoding: 'utf8' });
  const { diagnostics }: { readonly diagnostics: readonly unknown[] } = JSON.parse(stdout);
  return diagnostics.length;
}

/** Starts V8's coverage. The function that it returns counts the files in which a function ran since its last call. */
function coverageOf(folder: string): () => number {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return () => {
    let scripts: readonly Profiler.ScriptCoverage[] = [];
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => (scripts = result));
    return scripts
      .filter(({ url }) => url.startsWith(folder))
      .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0)).length;
  };
}

async function measureCalls() {
  let frames = 0;
  const read = toolmend.defineTool({
    name: 'read_lines',
    description: 'Read lines.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } },
      required: ['path'],
      additionalProperties: false,
    },
    execute: () => {
      Error.stackTraceLimit = 200;
      frames = (new Error('here').stack ?? '').split('\n').filter((line) => line.includes('/src/')).length;
      return 'done';
    },
  });
  const tools = new toolmend.ToolRegistry().register(read);
  const call = (args: string) => tools.call({ id: args, name: 'read_lines', arguments: args });
  const nearMiss = (text: string) => toolmend.interpret(read, { arguments: text }).status;

  const outcomes = [(await call('{"path":"a"}')).status, nearMiss('{"path":"a","lines":"[1,2]"}')];
  entered();
  outcomes.push((await call('{"path":"b","lines":[1]}')).status);
  const valid = entered();
  outcomes.push(nearMiss('{"path":"b","lines":"[1]"}'));
  const repaired = entered();
  if (outcomes.join() !== 'completed,repaired,completed,repaired')
    throw new Error(`measured ${outcomes.join()}`);

  const ReadFiles = readFilesClass();
  entered();
  new toolmend.ToolRegistry().register(ReadFiles).schemas('openai');
  return { valid, repaired, registered: entered(), frames };
}

/** Decorators are called as functions: Node doesn't run decorators. */
function readFilesClass() {
  class ReadFiles {
    declare readonly paths: readonly string[];
    declare readonly limit?: number;

    execute() {
      return this.paths.slice(0, this.limit).join();
    }
  }
  const fields = {
    paths: [ArrayOf(String), PathField(), ArrayMaxSize(20), Alias('file_path'), Describe('Relative paths.')],
    limit: [IsOptional(), IsInt(), Min(1), Field({ type: toolmend.integer })],
  };
  for (const [name, decorators] of Object.entries(fields))
    for (const decorate of decorators) decorate(ReadFiles.prototype, name);
  Tool({ description: 'Read text files.' })(ReadFiles);
  return ReadFiles;
}
