import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { defineTool, interpret, type ToolContract } from 'toolmend';
import { classContractFor, classFor } from './argument-classes.ts';
import { type BenchContract, benchContracts } from './contracts.ts';
import { measure, type Measured, type MeasureSettings, type Subject } from './measure.ts';
import { typeboxReader, typiaReader, zodReader } from './peers/read-text.mjs';
import { type Goal, type Section, shown } from './section.ts';

/** How many times JSON.parse plus compiled Ajv a valid call may take; from a class with formats. */
const mostTimes: Readonly<Record<BenchContract['name'], number>> = {
  flat: 2,
  form: 1.3,
  nested: 1.3,
};
const mostFromClass = 4;

const parse = 'JSON.parse';
const baseline = 'JSON.parse + Ajv, compiled';
const ours = 'toolmend, from a JSON Schema';
const oursFromClass = 'toolmend, from a class';

export function validCalls(settings: MeasureSettings): Section {
  const measured = benchContracts.map((contract) => measure(subjectsFor(contract), settings));
  const names = measured[0]?.map(({ name }) => name) ?? [];
  return {
    title: 'A valid call: text to validated value',
    about:
      'Microseconds, and in brackets how many times as long as `JSON.parse` of the same text. toolmend also detects ' +
      'duplicate keys and lossy digits in that time; the bench has checked that it does. From a class with formats ' +
      '(IsEmail, IsUUID, IsDateString), class-validator’s own checks run too, because they mean something else.',
    columns: ['', ...benchContracts.map(({ title }) => title)],
    rows: names.map((name, at) => [name, ...measured.map((column) => cell(column[at]))]),
    goals: benchContracts.flatMap((contract, at) => goalsOf(contract, measured[at] ?? [])),
  };
}

const cell = (measured: Measured | undefined): string =>
  measured === undefined
    ? ''
    : `${shown(measured.microseconds)} (${shown(measured.timesAsLongAs(parse))})`;

function goalsOf({ name, title }: BenchContract, measured: readonly Measured[]): readonly Goal[] {
  const find = (wanted: string): number =>
    measured.find((one) => one.name === wanted)?.timesAsLongAs(baseline) ?? Number.NaN;
  const [times, fromClass] = [find(ours), find(oursFromClass)];
  return [
    {
      goal: `${title}: at most ${mostTimes[name]} times ${baseline}`,
      measured: `${shown(times)} times`,
      isMet: times <= mostTimes[name],
    },
    {
      goal: `${title}, from a class: at most ${mostFromClass} times`,
      measured: `${shown(fromClass)} times`,
      isMet: fromClass <= mostFromClass,
    },
  ];
}

function subjectsFor(contract: BenchContract): readonly Subject[] {
  const { name, schema, text } = contract;
  const fromSchema = defineTool({
    name,
    description: 'A tool.',
    inputSchema: schema,
    execute: () => 'done',
  });
  assertDetects(fromSchema, text);
  const isValid = compiledAjv(schema);
  const Class = classFor[name];
  const subjects: readonly Subject[] = [
    { name: parse, run: (): unknown => JSON.parse(text) },
    { name: baseline, run: () => must(JSON.parse(text), isValid) },
    { name: ours, run: () => accepted(fromSchema, text) },
    { name: oursFromClass, run: accepts(classContractFor(name), text) },
    { name: 'plainToInstance + validateSync', run: () => instanceOf(Class, text) },
    { name: 'typebox, compiled', run: reads(typeboxReader(schema), text) },
    { name: 'zod 4', run: reads(zodReader(name), text) },
    { name: '@typia/utils, at run time', run: reads(typiaReader(schema), text) },
  ];
  for (const { run } of subjects) run();
  return subjects;
}

const reads =
  (read: (text: string) => unknown, text: string): (() => unknown) =>
  () =>
    read(text);

const accepts =
  (contract: ToolContract, text: string): (() => unknown) =>
  () =>
    accepted(contract, text);

/** The validator's options, so that both sides of the ratio validate alike. */
function compiledAjv(schema: BenchContract['schema']): (value: unknown) => boolean {
  const ajv = new Ajv2020({
    messages: false,
    strict: false,
    ownProperties: true,
    multipleOfPrecision: 9,
    logger: false,
  });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  return (value) => validate(value);
}

function must(value: unknown, isValid: (value: unknown) => boolean): unknown {
  if (!isValid(value)) throw new Error('a valid call is refused');
  return value;
}

function accepted(contract: ToolContract, text: string): unknown {
  const result = interpret(contract, { arguments: text });
  if (result.status !== 'unchanged') throw new Error(`a valid call is ${result.status}`);
  return result.value;
}

function instanceOf(Class: new () => object, text: string): object {
  const plain: object = JSON.parse(text);
  const instance = plainToInstance(Class, plain);
  if (validateSync(instance, { whitelist: true, forbidNonWhitelisted: true }).length > 0)
    throw new Error('class-validator refuses a valid call');
  return instance;
}

/**
 * The function that is measured must see what JSON.parse hides: a key that came twice, and digits
 * that got lost.
 */
function assertDetects(contract: ToolContract, text: string): void {
  const [key = '', value] = Object.entries<unknown>(JSON.parse(text))[0] ?? [];
  const other = typeof value === 'string' ? `${value}x` : { ...Object(value), twice: 1 };
  const twice = `{${JSON.stringify(key)}:${JSON.stringify(other)},${text.slice(1)}`;
  mustReject(contract, twice, 'duplicate_key');
  const [, number = ''] = /:(\d+(?:\.\d+)?)[,}]/.exec(text) ?? [];
  mustReject(contract, text.replace(`:${number}`, ':12345678901234567890'), 'unsafe_number');
}

function mustReject(contract: ToolContract, text: string, keyword: string): void {
  const { status, issues } = interpret(contract, { arguments: text });
  if (status === 'rejected' && issues.some((issue) => issue.keyword === keyword)) return;
  throw new Error(`${keyword} is not detected in ${text.slice(0, 80)}: ${status}`);
}
