/**
 * A signal for the listeners that are added from now on. `process.emit` would also call those of
 * the test runner and of libraries, which end the process.
 */
export function signalTo(name: NodeJS.Signals): { send(): void; readonly addedCount: number } {
  const before = process.listeners(name);
  const added = () => process.listeners(name).filter((listener) => !before.includes(listener));
  return {
    send() {
      for (const listener of added()) listener(name);
    },
    get addedCount() {
      return added().length;
    },
  };
}
