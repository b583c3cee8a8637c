import { type OptionKinds, checkOptions, count, string } from '../options/check-options.ts';
import { ToolFailure } from '../errors/errors.ts';
import type { AcceptedOutcome } from '../outcomes/tool-outcome.ts';
import { setNewest } from '../collections/bounded-map.ts';
import { type JsonValue } from '../json/value.ts';
import { randomId } from '../platform/random-id.ts';
import { defineTool } from './define-tool.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { Interceptor, InterceptedCall } from '../run/interceptor.ts';

/** The options of `resultPages`. */
export interface ResultPagesOptions {
  /** Characters of one part; at least 100. Default: 20,000. */
  readonly maxResultChars?: number;
  /** The name of the tool that reads the next part. Default: `read_result`. */
  readonly toolName?: string;
}

/** Pass the interceptor to a registry and register the tool in it. */
export interface ResultPages {
  readonly interceptor: Interceptor;
  readonly tool: ToolContract;
}

/** Results that are kept for one tenant; the oldest is dropped first. */
const maxResults = 16;

/**
 * Splits long results into parts: the model reads the first part and a note about how to read the
 * next one. Parts are kept in memory for their tenant. Results of tools with an output schema are
 * not split. Throws a DefinitionError for invalid options.
 */
export function resultPages(options: ResultPagesOptions = {}): ResultPages {
  checkOptions('resultPages', options, optionKinds);
  const { maxResultChars = 20_000, toolName = 'read_result' } = options;
  const resultsByTenant = new Map<string, Map<string, readonly string[]>>();

  const pageOf = (tenant: string, reference: JsonValue | undefined): Page | undefined => {
    if (typeof reference !== 'string') return undefined;
    const [, id = '', number = ''] = /^([0-9a-f]{12})-(\d{1,6})$/.exec(reference.trim()) ?? [];
    const parts = resultsByTenant.get(tenant)?.get(id) ?? [];
    const text = parts[Number(number) - 1];
    return text === undefined ? undefined : { id, number: Number(number), parts, text };
  };

  const keep = (tenant: string, parts: readonly string[]): string => {
    const id = randomId().replaceAll('-', '').slice(0, 12);
    const results = resultsByTenant.get(tenant) ?? new Map<string, readonly string[]>();
    setNewest(results, [id, parts], maxResults);
    resultsByTenant.set(tenant, results);
    return id;
  };

  const noteOf = ({ id, number, parts }: Page): string => {
    const which = `This is part ${number} of ${parts.length} of the result.`;
    if (number === parts.length) return which;
    return `${which} For the next part call ${toolName} with {"page":"${id}-${number + 1}"}.`;
  };

  const readOn = (call: InterceptedCall): AcceptedOutcome => {
    const page = pageOf(call.tenant, call.arguments['page']);
    if (page === undefined) {
      throw new ToolFailure('That result is no longer kept. Call the tool that gave it again.');
    }
    return call.amend(call.answer(page.text), { notes: [noteOf(page)] });
  };

  const interceptor: Interceptor = async (call, next) => {
    if (call.tool === toolName) return readOn(call);
    const outcome = await next();
    const text = textOf(outcome);
    if (text === undefined || text.length <= maxResultChars) return outcome;
    // Clients of a tool with an output schema expect the whole object.
    if (call.contract.execution?.outputSchema !== undefined && outcome.status === 'completed')
      return outcome;
    const parts = partsOf(text, maxResultChars);
    const first = { id: keep(call.tenant, parts), number: 1, parts, text: parts[0] ?? '' };
    return call.amend(outcome, { text: first.text, notes: [noteOf(first)] });
  };

  const tool = defineTool({
    name: toolName,
    description: 'Reads the next part of a long result, as the note beside the part before says.',
    effects: 'read',
    inputSchema: { type: 'object', properties: { page: { type: 'string' } }, required: ['page'] },
    execute: () => Promise.reject(new ToolFailure('Results are not kept here.')),
  });
  return { interceptor, tool };
}

const optionKinds: OptionKinds<ResultPagesOptions> = {
  maxResultChars: count(100),
  toolName: string,
};

interface Page {
  readonly id: string;
  readonly number: number;
  readonly parts: readonly string[];
  readonly text: string;
}

/** The tool's own text; undefined for outcomes whose text is toolmend's. */
function textOf(outcome: AcceptedOutcome): string | undefined {
  if (outcome.status === 'completed') return outcome.content.text;
  const isOfTool =
    outcome.status === 'retry' || (outcome.status === 'failed' && !('errorId' in outcome));
  return isOfTool ? outcome.message.toWellFormed() : undefined;
}

/**
 * Parts of at most `longest` characters, at line ends if they are near, and never inside a
 * character.
 */
function partsOf(text: string, longest: number): readonly string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = endOfPart(text, start, longest);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

function endOfPart(text: string, start: number, longest: number): number {
  const end = start + longest;
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf('\n', end - 1) + 1;
  if (line > start + longest * 0.75) return line;
  const last = text.charCodeAt(end - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return isHighSurrogate ? end - 1 : end;
}
