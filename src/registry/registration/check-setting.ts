// Is what a program says of its registry right? Told all at once.
import { metaComplaints } from '../../contract/meta/meta-complaints.ts';
import type { MetaArgument } from '../../contract/tool-contract.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import { timeComplaints } from '../../errors/milliseconds.ts';
import { countComplaints } from './limit-complaints.ts';

export interface WrittenSetting {
  readonly timeLimit: number | undefined;
  readonly resultLimit: number | undefined;
  readonly concurrencyLimit: number;
  readonly queueLimit: number;
  readonly meta: readonly MetaArgument[];
}

/** Throws a DefinitionError with every complaint. */
export function checkSetting(written: WrittenSetting): void {
  const { timeLimit, resultLimit, concurrencyLimit, queueLimit, meta } = written;
  const complaints = [
    ...timeComplaints('ToolRegistry', { timeLimit }),
    ...countComplaints('ToolRegistry', 100, { resultLimit }),
    ...countComplaints('ToolRegistry', 1, { concurrencyLimit }),
    ...countComplaints('ToolRegistry', 0, { queueLimit }),
    ...metaComplaints(meta, 'ToolRegistry'),
  ];
  if (complaints.length > 0) throw new DefinitionError(complaints);
}
