/** Short enough to be repeated by a model; looked up in a log beside the call. */
export const newErrorId = (): string => crypto.randomUUID().slice(0, 8);

// A code, and an identity that survives two copies.
const marker = Symbol.for('toolmend.error');

/** Base of every error thrown for a developer's mistake. Never thrown for what a model sent. */
export class ToolmendError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }

  /** True for errors of any installed copy of toolmend. */
  static isInstance(error: unknown): error is ToolmendError {
    return error instanceof Error && Reflect.get(error, marker) === true;
  }
}

/** Thrown for data that is no record of a call, or one of a version that this toolmend doesn't know. */
export class RecordError extends ToolmendError {
  /** The member that is wrong, as `arguments`; '' is the record as a whole. */
  readonly member: string;

  constructor(member: string, message: string) {
    super('record', message);
    this.member = member;
  }
}

// The two that an author throws for it, and no other.
type SignalKind = 'retry' | 'failure';

const signalMarker = Symbol.for('toolmend.signal');

abstract class ToolSignal extends Error {
  protected constructor(kind: SignalKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    Object.defineProperty(this, signalMarker, { value: kind });
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
    const kind: unknown = Reflect.get(thrown, signalMarker);
    const text: unknown = Reflect.get(thrown, 'message');
    return (kind === 'retry' || kind === 'failure') && typeof text === 'string' ? { kind, text } : undefined;
  } catch {
    return undefined;
  }
}
