// Prints each call as it was sent, its repairs and its result.
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
  for (const text of [
    ...interpretationLines(terminal, outcome),
    ...answerLines(terminal, outcome),
  ]) {
    line(`    ${text}`);
  }
}

type Outcome = PlayedCall['outcome'];

function interpretationLines({ paint }: Terminal, outcome: Outcome): readonly string[] {
  if (outcome.status === 'unknown_tool' || outcome.interpretation.status === 'rejected') return [];
  const { repairs } = outcome.interpretation;
  if (repairs.length === 0) return [paint('dim', 'valid     as sent')];
  return repairs.map(
    ({ rule, path, was }) =>
      `${paint('green', 'repaired ')} ${rule} at ${shownPath(path)}, was ${excerpt(was, 40)}`,
  );
}

/** What the model reads: the start of a result, every line of any other outcome. */
function answerLines({ paint }: Terminal, outcome: Outcome): readonly string[] {
  const answer = answerText(outcome);
  if (outcome.status === 'completed') return [`result    ${excerpt(answer)}`];
  return answer.split('\n').map((text, index) => {
    const label = (index === 0 ? labelOf(outcome) : '').padEnd(9);
    return `${paint('red', label)} ${excerpt(text)}`;
  });
}

const shownPath = (path: string): string => (path === '' ? 'the arguments' : excerpt(path));

/** The table by model and rule, and the files at the end. */
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

const labelOf = ({ status }: Outcome): string =>
  status === 'invalid_arguments' ? 'rejected' : status;
