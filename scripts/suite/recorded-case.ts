/** A line of test/cases. */
export interface RecordedCase {
  readonly id: string;
  readonly source: string;
  readonly model: string | null;
  readonly tool: string | null;
  readonly schema: { readonly [keyword: string]: unknown };
  readonly effects?: string;
  readonly input?: unknown;
  readonly inputText?: string;
  /** The text of a whole answer, which has the call in it. */
  readonly answer?: string;
  readonly finishReason?: string;
  readonly options?: { readonly meta?: boolean; readonly finishReason?: string };
  readonly expect: {
    readonly outcome: 'unchanged' | 'repaired' | 'rejected';
    readonly value?: unknown;
    readonly kinds?: readonly string[];
  };
  readonly why: string;
}
