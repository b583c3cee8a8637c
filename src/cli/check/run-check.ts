// Would the providers take these tools? Those of a file, of a module, or of a running MCP server.
import { checkSet } from '../../dialects/check-set.ts';
import { dialects, isProviderDialect } from '../../dialects/dialect-table.ts';
import type { Streams } from '../streams.ts';
import { checkAsJson, checkAsText } from './report-of-check.ts';
import { toolsInFile } from './tools-in-file.ts';
import { toolsOfServer } from './tools-of-server.ts';

export interface CheckRequest {
  /** A file, or an http URL. */
  readonly files: readonly string[];
  /** What stands behind `--`: the command of a server. */
  readonly command: readonly string[];
  /** Dialects with commas between them. */
  readonly asked: string;
  readonly format: 'json' | 'tables';
}

/** The exit code: 1 if a request would be refused, 2 for a file or a dialect that there is not, else 0. */
export async function runCheck(
  { files, command, asked, format }: CheckRequest,
  streams: Streams,
): Promise<number> {
  const names = asked.split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !isProviderDialect(name));
  if (names.length === 0 || unknown.length > 0)
    return refuse(streams, `--for takes some of ${Object.keys(dialects).join(',')}`);
  const [file, ...others] = files;
  if (others.length > 0 || (file === undefined) === (command.length === 0))
    return refuse(streams, 'check needs one file or URL, or the command of a server behind --');
  const tools = await (file === undefined
    ? toolsOfServer({ command })
    : /^https?:\/\//.test(file) && URL.canParse(file)
      ? toolsOfServer({ url: new URL(file) })
      : toolsInFile(file));
  if ('refused' in tools) return refuse(streams, tools.refused);
  const found = names.filter(isProviderDialect).flatMap((dialect) => checkSet(tools.contracts, dialect));
  streams.stdout.write(format === 'json' ? checkAsJson(tools, found) : checkAsText(tools, found));
  return tools.broken.length > 0 || found.some(({ level }) => level === 'refused') ? 1 : 0;
}

function refuse({ stderr }: Streams, why: string): number {
  stderr.write(`toolmend: ${why}\n`);
  return 2;
}
