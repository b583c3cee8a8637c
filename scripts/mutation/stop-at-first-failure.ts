// How does a run end with the first test that notices a mutant? Jest ends after a file, and all tests are one here.

let hasFailed = false;

type TestFunction = (...row: readonly unknown[]) => unknown;

const untilFailed =
  (run: TestFunction): ((...row: readonly unknown[]) => Promise<void>) =>
  async (...row) => {
    if (hasFailed) return;
    try {
      await run(...row);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };

const original = globalThis.test;

const each =
  (rows: readonly unknown[]) =>
  (title: string, run: TestFunction, timeout?: number): void =>
    original.each(rows)(title, untilFailed(run), timeout);

// The part of jest's own function that the tests use.
Object.assign(globalThis, {
  test: Object.assign(
    (title: string, run: TestFunction, timeout?: number) => original(title, untilFailed(run), timeout),
    { each },
  ),
});
