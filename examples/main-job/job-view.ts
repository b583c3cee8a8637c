// What does a person see while the agent works? Each call as it was sent, what was repaired where, and the result.
import type { RepairStatsSnapshot } from 'toolmend';
import { type PlayedCall, answerText, sentText } from './chat-history.ts';
import { fileTree } from './file-tree.ts';
import { excerpt, type Terminal } from './terminal.ts';
import { statsTable } from './stats-table.ts';
import type { WorkspaceFiles } from './workspace.ts';

export const showModel = ({ line, paint }: Terminal, model: string): void => {
  line();
  line(paint('bold', excerpt(model)));
};

/** `source`: where the shape of the call was reported. */
export function showCall(terminal: Terminal, { call, outcome }: PlayedCall, source?: string): void {
  const { line, paint } = terminal;
  const from = source === undefined ? '' : paint('dim', `  ${source}`);
  line(`  ${paint('cyan', excerpt(call.name))}${from}`);
  line(`    sent      ${excerpt(sentText(call))}`);
  for (const text of interpretationLines(terminal, outcome)) line(`    ${text}`);
  const answer = excerpt(answerText(outcome));
  line(`    ${outcome.outcome === 'completed' ? 'result   ' : paint('yellow', 'answer   ')} ${answer}`);
}

function interpretationLines({ paint }: Terminal, outcome: PlayedCall['outcome']): readonly string[] {
  if (outcome.outcome === 'unknown-tool') return [paint('red', 'rejected  there is no such tool')];
  const { interpretation } = outcome;
  if (interpretation.outcome === 'rejected') {
    return interpretation.issues.map(
      ({ keyword, path }) => `${paint('red', 'rejected ')} ${keyword} at ${shownPath(path)}`,
    );
  }
  if (interpretation.outcome === 'unchanged') return [paint('dim', 'valid     as sent')];
  return interpretation.repairs.map(
    ({ rule, path, was }) =>
      `${paint('green', 'repaired ')} ${rule} at ${shownPath(path)}${was === '' ? '' : `, was ${excerpt(was, 40)}`}`,
  );
}

const shownPath = (path: string): string => (path === '' ? 'the arguments' : excerpt(path));

/** The table per model and rule, and the files that came out. */
export function showResult(
  { line, paint }: Terminal,
  stats: RepairStatsSnapshot,
  files: WorkspaceFiles,
): void {
  line();
  line(paint('bold', 'Calls and repairs'));
  for (const row of statsTable(stats)) line(`  ${excerpt(row, 160)}`);
  line();
  line(paint('bold', 'Workspace'));
  for (const row of fileTree(files)) line(`  ${excerpt(row)}`);
}
