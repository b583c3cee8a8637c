// Which tests does a module declare? The part of jest's functions that the tests use, without running any.
import { format } from 'node:util';

type Run = (...row: readonly unknown[]) => unknown;
type Declare = (title: string, run: Run) => void;
type DeclareEach = (rows: readonly unknown[]) => Declare;

export interface CollectedTest {
  /** Of all it stands in too; unique. */
  readonly name: string;
  run(): Promise<void>;
}

export interface TestFunctions {
  readonly test: Declare & { readonly each: DeclareEach };
  readonly it: TestFunctions['test'];
  readonly describe: Declare & { readonly each: DeclareEach };
  readonly afterEach: (run: Run) => void;
}

interface Scope {
  readonly title: string;
  readonly after: readonly Run[];
}

/** Collects the tests that are declared with the functions given to `declare`, in their order. */
export function collectTests(declare: (functions: TestFunctions) => void): readonly CollectedTest[] {
  const tests: CollectedTest[] = [];
  const names = new Map<string, number>();
  const scopes: { title: string; after: Run[] }[] = [{ title: '', after: [] }];

  const uniqueName = (title: string): string => {
    const name = [...scopes.map((scope) => scope.title), title].join(' ').trim();
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    return count === 1 ? name : `${name} #${count}`;
  };
  const test: Declare = (title, run) => {
    tests.push(asTest(uniqueName(title), run, [...scopes]));
  };
  const describe: Declare = (title, run) => {
    scopes.push({ title, after: [] });
    run();
    scopes.pop();
  };
  const withEach = Object.assign(test, { each: eachOf(test) });
  declare({
    test: withEach,
    it: withEach,
    describe: Object.assign(describe, { each: eachOf(describe) }),
    afterEach: (run) => scopes.at(-1)?.after.push(run),
  });
  return tests;
}

const asTest = (name: string, run: Run, scopes: readonly Scope[]): CollectedTest => ({
  name,
  async run() {
    try {
      await run();
    } finally {
      for (const { after } of scopes) for (const tidy of after) await tidy();
    }
  },
});

/** As jest takes a table: a list of lists is spread, anything else is one argument a row. */
const eachOf =
  (declare: Declare): DeclareEach =>
  (rows) =>
  (title, run) => {
    const table = rows.every((row): row is readonly unknown[] => Array.isArray(row));
    for (const row of rows) {
      const values: readonly unknown[] = table && Array.isArray(row) ? row : [row];
      declare(titleOf(title, values), () => run(...values));
    }
  };

const titleOf = (title: string, values: readonly unknown[]): string => {
  const places = title.replaceAll('%%', '').match(/%[sdifjop]/g)?.length ?? 0;
  return format(title.replaceAll('%p', '%j'), ...values.slice(0, places));
};
