// How is one line of the engine's source broken? By its exact text, which has to stand there once.
import { bundleEngine, type Engine } from './bundle-engine.ts';

export interface SourceMutant {
  /** From the project's folder. */
  readonly file: string;
  readonly original: string;
  readonly mutated: string;
}

/** Throws where the text doesn't stand exactly once: the mutant would change nothing, or more than it says. */
function mutate({ file, original, mutated }: SourceMutant, source: string): string {
  if (source.split(original).length !== 2) throw new Error(`${file} has not exactly one ${original}`);
  return source.replace(original, () => mutated);
}

/** The engine with that one change, made in a folder that exists. */
export async function mutantEngine(folder: string, mutant: SourceMutant): Promise<Engine> {
  let isMutated = false;
  const engine = await bundleEngine(folder, (path, source) => {
    if (path !== mutant.file) return source;
    isMutated = true;
    return mutate(mutant, source);
  });
  if (!isMutated) throw new Error(`${mutant.file} is no part of the engine`);
  return engine;
}
