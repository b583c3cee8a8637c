// What did an author say of a tool as a whole? Options are copied and checked; types are not trusted alone.
import { timeComplaints } from '../../errors/milliseconds.ts';
import type { DeclaredTool } from '../../metadata/declaration.ts';
import type { Complain, ComplaintBook } from '../complaint-book.ts';
import { readExecutionFacts } from './execution-facts.ts';
import type { ToolContract } from '../tool-contract.ts';
import { isPortableName, toSnakeCase } from '../tool-name.ts';

/** What a contract says of a tool beside its arguments. */
export type ToolFacts = Pick<
  ToolContract,
  | 'name'
  | 'title'
  | 'description'
  | 'effects'
  | 'repair'
  | 'unknownArguments'
  | 'timeLimit'
  | 'enabled'
  | 'deferred'
  | 'execution'
>;

/** The facts, with their defaults; `writtenName` is the class's or the method's, `complain` of the tool. */
export function readToolFacts(
  options: DeclaredTool,
  writtenName: string,
  complain: Complain,
  book: ComplaintBook,
): ToolFacts {
  const { name = toSnakeCase(writtenName), title, description, effects, timeLimit } = options;
  complainOfName(name, complain);
  if (typeof description !== 'string' || description.trim() === '') {
    complain('has no description', "write description: '…', which says to the model what the tool does");
  }
  complainOfWord('effects', effects, ['read', 'write', 'destructive'], complain);
  complainOfWord('unknownArguments', options.unknownArguments, ['refuse', 'drop'], complain);
  complainOfWord('repair', options.repair, ['all', 'lossless'], complain);
  for (const { what, instead } of timeComplaints(name, { timeLimit })) complain(what, instead);
  const { enabled, deferred } = options;
  if (enabled !== undefined && typeof enabled !== 'function') {
    complain('has an enabled that is no function', 'write enabled: (values) => …');
  }
  const execution = readExecutionFacts(options, complain, book);
  return {
    name,
    description,
    repair: options.repair ?? (effects === 'destructive' ? 'lossless' : 'all'),
    unknownArguments: options.unknownArguments ?? 'refuse',
    ...(title === undefined ? {} : { title }),
    ...(effects === undefined ? {} : { effects }),
    ...(timeLimit === undefined ? {} : { timeLimit }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(deferred === true ? { deferred } : {}),
    ...(execution === undefined ? {} : { execution }),
  };
}

function complainOfName(name: string, complain: Complain): void {
  if (isPortableName(name)) return;
  complain(
    `has the name ${JSON.stringify(name)}, which not every provider takes`,
    'write name: with letters, digits, _ and -, at most 64, starting with a letter or _',
  );
}

function complainOfWord(
  option: string,
  value: string | undefined,
  words: readonly string[],
  complain: Complain,
): void {
  if (value === undefined || words.includes(value)) return;
  complain(`has ${option}: ${JSON.stringify(value)}`, `write one of ${words.join(', ')}`);
}
