// What do all errors that toolmend throws have in common? A code, and an identity that survives two copies.

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
