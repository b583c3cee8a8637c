// Would the providers take the tools in this file? A JSON file of tools as MCP, OpenAI or Anthropic list them, or one a line.
import { readFile } from 'node:fs/promises';
import { contractFromSchema } from '../../contract/contract-from-schema.ts';
import type { ToolContract } from '../../contract/tool-contract.ts';
import { checkSet, type Finding } from '../../dialects/check-set.ts';
import { dialects, isProviderDialect } from '../../dialects/dialect-table.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { readTool } from '../records/read-tool.ts';
import type { Streams } from '../streams.ts';
import { toolList } from './tool-list.ts';

/** The exit code: 1 if a request would be refused, 2 for a file or a dialect that there is not, else 0. */
export async function runCheck(file: string, asked: string, streams: Streams): Promise<number> {
  const names = asked.split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !isProviderDialect(name));
  if (names.length === 0 || unknown.length > 0)
    return refuse(streams, `--for takes some of ${Object.keys(dialects).join(',')}`);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return refuse(streams, `${JSON.stringify(file)} can't be read`);
  const tools = toolList(text);
  if (tools === undefined)
    return refuse(
      streams,
      `${JSON.stringify(file)} is no JSON file of tools; modules and servers aren't read yet`,
    );
  const { contracts, broken } = contractsIn(tools);
  const found = names.filter(isProviderDialect).flatMap((dialect) => checkSet(contracts, dialect));
  streams.stdout.write(reportOf(contracts.length, broken, found));
  return broken.length > 0 || found.some(({ level }) => level === 'refused') ? 1 : 0;
}

interface ToolsRead {
  readonly contracts: readonly ToolContract[];
  /** What is wrong with entries that are no tools. */
  readonly broken: readonly string[];
}

function contractsIn(tools: readonly JsonValue[]): ToolsRead {
  const broken: string[] = [];
  const contracts = tools.flatMap((entry, index) => {
    const tool = isJsonObject(entry) ? readTool(entry) : undefined;
    if (tool === undefined) {
      broken.push(`entry ${index + 1} is no tool: it has no schema.`);
      return [];
    }
    try {
      return [
        contractFromSchema({ name: tool.name ?? '', inputSchema: tool.schema, onUnusableSchema: 'warn' }),
      ];
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      broken.push(error.message);
      return [];
    }
  });
  return { contracts, broken };
}

/** What has to be done is listed; what toolmend does by itself is counted. */
function reportOf(count: number, broken: readonly string[], found: readonly Finding[]): string {
  const told = found.filter(({ level }) => level !== 'adapted');
  const counts = new Map<string, number>();
  for (const { dialect, rule, level } of found) {
    const kind = `${dialect} ${level} ${rule}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [
    `${count} tools`,
    ...broken,
    ...told.map(
      ({ dialect, level, tool, place, what, fix }) =>
        `${dialect}: ${level}: ${tool === '' ? 'the tools' : tool}${place === '' ? '' : ` at ${place}`} ${what}: ${fix}.`,
    ),
    ...[...counts].map(([kind, times]) => `${kind}: ${times}`),
    '',
  ].join('\n');
}

function refuse({ stderr }: Streams, why: string): number {
  stderr.write(`toolmend: ${why}\n`);
  return 2;
}
