/** Warns the developer: on standard error with a code, or on the console of a browser. */
export function warn(message: string, code: string): void {
  if (typeof globalThis.process?.emitWarning === 'function')
    process.emitWarning(message, { type: 'ToolmendWarning', code });
  // oxlint-disable-next-line no-console -- It is what a browser and a Worker have.
  else console.warn(`[${code}] ToolmendWarning: ${message}`);
}
