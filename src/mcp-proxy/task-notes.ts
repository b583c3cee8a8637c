import { setNewest } from '../collections/bounded-map.ts';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject } from '../json/value.ts';
import { type Message, objectAtPath } from './message.ts';

const mostTasks = 1000;

/**
 * Notes of calls that were answered with a task. They go with the task's result, which another
 * request fetches.
 */
export class TaskNotes {
  readonly #notes = new Map<string, readonly string[]>();

  /** The notes that go with the answer to a call. */
  atAnswer({ value }: Message, notes: readonly string[]): readonly string[] {
    const task = ownValue(objectAtPath(value, 'result', 'task'), 'taskId');
    if (typeof task !== 'string' || notes.length === 0) return notes;
    setNewest(this.#notes, [task, notes], mostTasks);
    return [];
  }

  /** The notes that go with the answer to a request. */
  ofRequest(method: string, params: JsonObject): readonly string[] {
    const task = method === 'tasks/result' ? ownValue(params, 'taskId') : undefined;
    return (typeof task === 'string' ? this.#notes.get(task) : undefined) ?? [];
  }
}
