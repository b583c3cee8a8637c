// How does Stryker run the tests of a bundle? In its own process: compiled once, loaded anew for each mutant, in which
// a test takes moments. Ends with the first test that notices. Named as a plugin in mutation-options.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, Script } from 'node:vm';
import { expect } from 'expect';
import { AskedTests, runFactsOf } from './asked-tests.ts';
import { collectTests, type CollectedTest, type TestFunctions } from './collected-tests.ts';
import { bundle, runFacts } from './mutation-options.ts';

/** What the mutated sources read and write. */
interface StrykerNamespace {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: MutantCoverage;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

declare global {
  var __stryker__: StrykerNamespace | undefined;
  var classValidatorMetadataStorage: unknown;
}

/** How often each mutant is run: while tests are declared, and by each test. */
export interface MutantCoverage {
  readonly static: { readonly [mutant: string]: number };
  readonly perTest: { [test: string]: { readonly [mutant: string]: number } };
}

interface TestResult {
  readonly id: string;
  readonly name: string;
  readonly timeSpentMs: number;
  readonly status: 0 | 1;
  readonly failureMessage?: string;
}

interface MutantRunOptions {
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
  readonly activeMutant: { readonly id: string };
  readonly mutantActivation: 'runtime' | 'static';
}

/** Milliseconds of processor time, above which a test doesn't take part: it would be asked of each survivor. */
const longestTest = 200;

/**
 * Milliseconds of processor time that are spent on one mutant; if no test has noticed it by then, none counts as having. One
 * that runs while tests are declared may be noticed by any of them.
 */
const longestSearch = { runtime: 1000, static: 10_000 } as const;

type LoadBundle = (require: NodeJS.Require, functions: TestFunctions & { expect: typeof expect }) => void;

class BundleRunner {
  #load: LoadBundle | undefined;
  #askedTests: AskedTests | undefined;

  capabilities() {
    return { reloadEnvironment: true };
  }

  init(): void {
    const source = readFileSync(bundle, 'utf8');
    const script = new Script(
      `(require, { test, it, describe, afterEach, expect }) => { const exports = {}; const module = { exports };${source}\n}`,
      { filename: bundle, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER },
    );
    this.#load = (...given) => {
      // What a package keeps outside its own module, it would keep from mutant to mutant.
      globalThis.classValidatorMetadataStorage = undefined;
      const declare: LoadBundle = script.runInThisContext();
      declare(...given);
    };
  }

  async dryRun() {
    const stryker = (globalThis.__stryker__ ??= {});
    const tests: TestResult[] = [];
    for (const test of this.#collect()) {
      stryker.currentTestId = test.name;
      const { result, processorTime } = await resultOf(test);
      if (processorTime < longestTest || result.status === 1) tests.push(result);
      else {
        delete stryker.mutantCoverage?.perTest[test.name];
        console.warn(`left out, as it takes ${Math.round(processorTime)} ms: ${test.name}`);
      }
    }
    stryker.currentTestId = undefined;
    const { mutantCoverage } = stryker;
    // The runners of other processes don't get to know it otherwise.
    const names = tests.map(({ name }) => name);
    const facts = runFactsOf(mutantCoverage ?? { static: {}, perTest: {} }, names);
    writeFileSync(runFacts, JSON.stringify(facts));
    return { status: 'complete', tests, mutantCoverage };
  }

  async mutantRun({ testFilter, hitLimit, activeMutant, mutantActivation }: MutantRunOptions) {
    const stryker = (globalThis.__stryker__ ??= {});
    stryker.hitLimit = hitLimit;
    stryker.hitCount = hitLimit === undefined ? undefined : 0;
    stryker.activeMutant = mutantActivation === 'static' ? activeMutant.id : undefined;
    try {
      this.#askedTests ??= new AskedTests(JSON.parse(readFileSync(runFacts, 'utf8')));
      const tests = this.#askedTests.of(activeMutant.id, this.#collect(), { testFilter, mutantActivation });
      stryker.activeMutant = activeMutant.id;
      let spent = 0;
      for (const [index, test] of tests.entries()) {
        if (spent > longestSearch[mutantActivation]) return { status: 'survived', nrOfTests: index };
        const { result, processorTime } = await resultOf(test);
        spent += processorTime;
        if ((stryker.hitCount ?? 0) > (hitLimit ?? Infinity))
          return { status: 'timeout', reason: 'hit limit' };
        if (result.status === 1) {
          this.#askedTests.noticed(test.name, mutantActivation);
          const { failureMessage = '' } = result;
          return { status: 'killed', killedBy: [test.name], failureMessage, nrOfTests: index + 1 };
        }
      }
      return { status: 'survived', nrOfTests: tests.length };
    } catch (error) {
      // A file of tests that can't be loaded has failed.
      return { status: 'killed', killedBy: [], failureMessage: String(error), nrOfTests: 0 };
    } finally {
      stryker.activeMutant = undefined;
      stryker.hitLimit = undefined;
    }
  }

  #collect(): readonly CollectedTest[] {
    return collectTests((functions) =>
      this.#load?.(createRequire(import.meta.url), { ...functions, expect }),
    );
  }
}

async function resultOf(test: CollectedTest) {
  const started = process.cpuUsage();
  const failure = await test.run().then(
    () => undefined,
    (error: unknown) => String(error),
  );
  const { user, system } = process.cpuUsage(started);
  const processorTime = (user + system) / 1000;
  const facts = { id: test.name, name: test.name, timeSpentMs: processorTime };
  const result: TestResult =
    failure === undefined ? { ...facts, status: 0 } : { ...facts, status: 1, failureMessage: failure };
  return { result, processorTime };
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'bundle', injectableClass: BundleRunner }];
