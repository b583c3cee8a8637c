// What became of a recorded call, held against what is expected of it?
import { interpretArguments, type Interpretation } from 'toolmend';

/** One line of a case file: a call that a model sent, and what must become of it. */
export interface RecordedCase {
  readonly id: string;
  readonly tool: string | null;
  readonly schema: { readonly [keyword: string]: unknown };
  readonly input?: unknown;
  readonly inputText?: string;
  readonly options?: { readonly meta?: boolean; readonly finishReason?: string };
  readonly expect: {
    readonly outcome: 'unchanged' | 'repaired' | 'rejected';
    readonly value?: unknown;
    readonly meta?: { readonly [name: string]: unknown };
    readonly kinds?: readonly string[];
    readonly rules?: readonly string[];
  };
}

/** `missed`: refused though there is one reading. `wrong`: accepted with another value, or at all. */
export type Verdict = 'right' | 'missed' | 'wrong';

export const interpretCase = ({ schema, input, inputText, options = {}, tool }: RecordedCase): Interpretation =>
  interpretArguments(schema, inputText === undefined ? { value: input } : { text: inputText }, {
    ...options,
    ...(tool === null ? {} : { tool }),
  });

export function verdictOf(recorded: RecordedCase, result: Interpretation): Verdict {
  const { expect: expected } = recorded;
  if (result.outcome === 'rejected') return expected.outcome === 'rejected' ? 'right' : 'missed';
  if (expected.outcome === 'rejected' || result.outcome !== expected.outcome) return 'wrong';
  const isSame =
    canonical(comparable(result.value, recorded)) === canonical(comparable(expected.value, recorded)) &&
    (expected.meta === undefined || canonical(result.meta) === canonical(expected.meta));
  return isSame ? 'right' : 'wrong';
}

/** `compare-parsed:FIELD`: that text field is compared as the JSON it holds. */
function comparable(value: unknown, { expect: { kinds = [] } }: RecordedCase): unknown {
  const fields = kinds.filter((kind) => kind.startsWith('compare-parsed:')).map((kind) => kind.slice(15));
  if (fields.length === 0 || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      fields.includes(key) && typeof member === 'string' ? JSON.parse(member) : member,
    ]),
  );
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}
