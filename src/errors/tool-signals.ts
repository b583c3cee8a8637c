// Which exceptions does a model get to read? The two that an author throws for it, and no other.

type SignalKind = 'retry' | 'failure';

const marker = Symbol.for('toolmend.signal');

abstract class ToolSignal extends Error {
  protected constructor(kind: SignalKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    Object.defineProperty(this, marker, { value: kind });
  }
}

/** Thrown by a tool: "try again like this". The model reads the text as it is; the cause it never sees. */
export class ToolRetry extends ToolSignal {
  constructor(message: string, options?: ErrorOptions) {
    super('retry', message, options);
  }
}

/** Thrown by a tool: "it is over, because". The model reads the text as it is; the cause it never sees. */
export class ToolFailure extends ToolSignal {
  constructor(message: string, options?: ErrorOptions) {
    super('failure', message, options);
  }
}

/** What a thrown signal says to the model. */
export interface SignalText {
  readonly kind: SignalKind;
  readonly text: string;
}

/**
 * Reads a signal of any installed copy of toolmend from whatever was thrown; undefined for everything else.
 * Never throws, whatever the thrown value does when it is looked at.
 */
export function signalTextOf(thrown: unknown): SignalText | undefined {
  try {
    if (typeof thrown !== 'object' || thrown === null) return undefined;
    const kind: unknown = Reflect.get(thrown, marker);
    const text: unknown = Reflect.get(thrown, 'message');
    return (kind === 'retry' || kind === 'failure') && typeof text === 'string' ? { kind, text } : undefined;
  } catch {
    return undefined;
  }
}
