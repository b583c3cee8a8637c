// What is wrong with a record that a program reads back?
import { ToolmendError } from './toolmend-error.ts';

/** Thrown for data that is no record of a call, or one of a version that this toolmend doesn't know. */
export class RecordError extends ToolmendError {
  /** The member that is wrong, as `arguments`; '' is the record as a whole. */
  readonly member: string;

  constructor(member: string, message: string) {
    super('record', message);
    this.member = member;
  }
}
