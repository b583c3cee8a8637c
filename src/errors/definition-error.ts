// What is wrong with how a tool was defined or toolmend was called? All complaints of it in one error, each with its cure.
import { ToolmendError } from './toolmend-error.ts';

/** One mistake in a definition. */
export interface Complaint {
  /** `ReadFiles.paths`, or the tool's name. */
  readonly where: string;
  /** What is wrong, as a clause: "has no type". */
  readonly what: string;
  /** What to write instead, as an imperative: "write @ArrayOf(String)". */
  readonly instead: string;
}

/**
 * Thrown for a developer's mistake, as early as it can be seen: a definition that contradicts itself or leaves something
 * open, an option that is none, a call that is passed as its provider nests it.
 */
export class DefinitionError extends ToolmendError {
  readonly complaints: readonly Complaint[];

  constructor(complaints: readonly Complaint[]) {
    super('definition', complaints.map(sentenceOf).join('\n'));
    this.complaints = complaints;
  }
}

const sentenceOf = ({ where, what, instead }: Complaint): string => `${where} ${what}: ${instead}.`;
