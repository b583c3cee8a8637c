/** The result of code that may throw; undefined if it does. */
export function attempt<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
