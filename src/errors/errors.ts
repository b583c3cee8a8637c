/** An id for a log entry, short enough for a model to repeat. */
export const newErrorId = (): string => crypto.randomUUID().slice(0, 8);

const marker = Symbol.for('toolmend.error');

/** Base of every error that is thrown for a developer's mistake. A model's mistake is never thrown. */
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

/** Thrown for data that is not the record of a call, or of a version that this toolmend doesn't know. */
export class RecordError extends ToolmendError {
  /** The wrong member, as `arguments`; '' for the record as a whole. */
  readonly member: string;

  constructor(member: string, message: string) {
    super('record', message);
    this.member = member;
  }
}

type SignalKind = 'retry' | 'failure';

const signalMarker = Symbol.for('toolmend.signal');

abstract class ToolSignal extends Error {
  protected constructor(kind: SignalKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    Object.defineProperty(this, signalMarker, { value: kind });
  }
}

/** Thrown by a tool: "try again like this". The model reads the message, and never the cause. */
export class ToolRetry extends ToolSignal {
  constructor(message: string, options?: ErrorOptions) {
    super('retry', message, options);
  }
}

/** Thrown by a tool: "it has failed, because". The model reads the message, and never the cause. */
export class ToolFailure extends ToolSignal {
  constructor(message: string, options?: ErrorOptions) {
    super('failure', message, options);
  }
}

/** The message of a thrown signal, for the model. */
export interface SignalText {
  readonly kind: SignalKind;
  readonly text: string;
}

/** Reads a signal of any installed copy of toolmend; undefined: anything else was thrown. Never throws. */
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
