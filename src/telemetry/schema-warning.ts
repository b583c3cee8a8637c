// What is a program told of a schema that can't be used in full? Once for each contract, when the tool is registered or
// first asked about.
import { tell } from './tell.ts';

/** About one tool's input schema; holds parts of the schema, never of a call. */
export interface SchemaWarning {
  readonly tool: string;
  /**
   * `unusable_schema`: calls are decoded and passed on, and nobody judges or repairs them.
   * `unsafe_pattern`: a pattern that could take time without end is not looked at.
   * `unknown_keywords`: keywords that nobody judges by.
   */
  readonly code: 'unusable_schema' | 'unsafe_pattern' | 'unknown_keywords';
  /** One sentence. */
  readonly message: string;
}

/** Told of warnings; what it throws or rejects with is dropped. */
export type TellWarning = (warning: SchemaWarning) => unknown;

/** Without anybody to tell, only that a tool's calls are judged by nobody reaches the process. */
export function tellWarnings(warnings: readonly SchemaWarning[], tellers: readonly TellWarning[]): void {
  for (const warning of warnings) {
    for (const teller of tellers) tell(() => teller(warning));
    if (tellers.length === 0 && warning.code === 'unusable_schema') warnProcess(warning);
  }
}

function warnProcess({ message, code }: SchemaWarning): void {
  // Workers have no process, or one that can't warn.
  if (typeof process === 'object' && typeof process.emitWarning === 'function') {
    process.emitWarning(message, { type: 'ToolmendWarning', code });
  }
}
