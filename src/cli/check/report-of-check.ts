// How is what a check has found written? For people what has to be done, and counts of the rest; as JSON all of it.
import type { Finding } from '../../dialects/check-set.ts';
import type { ToolsToCheck } from './tools-to-check.ts';

export const checkAsJson = ({ contracts, broken }: ToolsToCheck, findings: readonly Finding[]): string =>
  `${JSON.stringify({ tools: contracts.length, broken, findings }, undefined, 2)}\n`;

/** What toolmend does by itself is only counted. */
export function checkAsText({ contracts, broken }: ToolsToCheck, found: readonly Finding[]): string {
  const told = found.filter(({ level }) => level !== 'adapted');
  const counts = new Map<string, number>();
  for (const { dialect, rule, level } of found) {
    const kind = `${dialect} ${level} ${rule}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [
    contracts.length === 1 ? '1 tool' : `${contracts.length} tools`,
    ...broken,
    ...told.map(lineOf),
    ...[...counts].map(([kind, times]) => `${kind}: ${times}`),
    '',
  ].join('\n');
}

const lineOf = ({ dialect, level, rule, tool, place, what, fix }: Finding): string =>
  `${dialect}: ${level} [${rule}]: ${tool === '' ? 'the tools' : tool}${place === '' ? '' : ` at ${place}`} ${what}: ${fix}.`;
