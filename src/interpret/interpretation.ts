import { type JsonObject, type JsonValue, pointerKeys } from '../json/value.ts';
import { displayPath, previewLiteral } from '../json/preview.ts';
import type { Issue } from '../messages/issue.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';

/**
 * `value`: code gets the arguments, so a number that JavaScript can't hold exactly is refused. `json`: the arguments are
 * passed on or stored as JSON text, which keeps its digits.
 */
export type OutputForm = 'value' | 'json';

/** Meta arguments that were taken out, by name without the underscore: `{ timeout_seconds: 30 }`. */
export type MetaValues = Readonly<Record<string, JsonValue>>;

/** A sentence for the model, next to the tool's result. */
export interface Note {
  readonly rule: string;
  readonly path: string;
  readonly text: string;
}

/** The meaning of a call's arguments. `status`: `unchanged`, `repaired` or `rejected`. */
export type Interpretation<Value = JsonObject> = Accepted<Value> | Rejected;

/** Arguments that match the schema, as sent or after repair. */
export interface Accepted<Value = JsonObject> {
  /** `unchanged`: valid as sent. `repaired`: `repairs` lists every change. */
  readonly status: 'unchanged' | 'repaired';
  /** What `interpretArguments` returns for a Standard Schema is the schema's output. */
  readonly value: Value;
  readonly meta: MetaValues;
  readonly repairs: readonly RepairRecord[];
  readonly notes: readonly Note[];
  readonly issues: readonly [];
  /** The tool's schema can't be used for validation: the value is as it was sent. */
  readonly unvalidated?: true;
  /** Only for the output `json` and for a Standard Schema: the arguments as JSON text, with the literals of numbers. */
  readonly text?: string;
}

/** Arguments that match the schema neither as sent nor after repair. */
export interface Rejected {
  readonly status: 'rejected';
  readonly meta: MetaValues;
  readonly repairs: readonly [];
  readonly notes: readonly [];
  /** Everything that is wrong with the value as sent. */
  readonly issues: readonly Issue[];
  /** The arguments that repair would have made, if the model must confirm them. */
  readonly wouldBe?: JsonObject;
  /** The message for the model. */
  readonly message: string;
  /** The errors that the author's own checks threw. For the application only, so not enumerable. */
  readonly causes?: readonly unknown[];
}

/** JSON text of the arguments of an accepted call: its exact `text`, else that of its value. */
export const argumentsText = ({ text, value }: Accepted<unknown>): string => text ?? JSON.stringify(value);

/** One note for each repair that the model should know of, in order. `shown` redacts a path. */
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
