// What should the model be told beside the result? One sentence for each record that says so.
import { excerptOf } from '../issues/excerpt.ts';
import { shownPath } from '../issues/shown-path.ts';
import { pointerKeys } from '../json/json-pointer.ts';
import type { RepairRecord } from '../repair/repair-record.ts';
import type { Note } from './interpretation.ts';

/** Notes in the order of the records. `shown`: the place as it may be shown. */
export const notesOf = (
  records: readonly RepairRecord[],
  shown: (pointer: string) => string = (pointer) => pointer,
): readonly Note[] =>
  records.flatMap((record) => {
    if (!record.tell) return [];
    const path = shown(record.path);
    return [{ rule: record.rule, path, text: textOf(record, path) }];
  });

function textOf({ rule, operations }: RepairRecord, path: string): string {
  const name = shownPath(pointerKeys(path));
  const [operation] = operations;
  if (rule === 'pairs' && operation?.op === 'add')
    return `${name} was not given; ${excerptOf(operation.value)} was used.`;
  if (rule === 'context_field') return `${name} is set by the application; the value sent was ignored.`;
  if (operation?.op === 'move') return `${name} was taken for ${shownPath(pointerKeys(operation.path))}.`;
  if (operation?.op === 'remove') return `${name} is no argument of this tool and was left out.`;
  return `${name} was repaired (${rule}).`;
}
