import { pointerKeys } from '../json/json-pointer.ts';
import { displayPath, previewLiteral } from '../json/preview.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import type { Note } from './interpretation.ts';

/** One note for each repair that the model should know of, in their order. `shown`: a path as it may be shown. */
export const notesOf = (
  records: readonly RepairRecord[],
  shown: (pointer: string) => string = (pointer) => pointer,
): readonly Note[] =>
  records
    .filter(({ tell }) => tell)
    .map((record) => {
      const path = shown(record.path);
      return { rule: record.rule, path, text: noteText(record, path) };
    });

function noteText({ rule, operations }: RepairRecord, path: string): string {
  const name = displayPath(pointerKeys(path));
  const [operation] = operations;
  if (rule === 'pairs' && operation?.op === 'add')
    return `${name} was not sent; ${previewLiteral(operation.value)} was used.`;
  if (rule === 'context_field')
    return `${name} is set by the application; the value that was sent is ignored.`;
  if (operation?.op === 'move') return `${name} was read as ${displayPath(pointerKeys(operation.path))}.`;
  if (operation?.op === 'remove') return `${name} is not an argument of this tool and was left out.`;
  return `${name} was repaired (${rule}).`;
}
