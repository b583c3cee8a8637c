// What is measured, in which order, and what is written where?
import { eachRule } from './each-rule.ts';
import { failingPlaces } from './failing-places.ts';
import { renderSections } from './render-markdown.ts';
import { writeBenchmarks } from './write-benchmarks.ts';
import { registration } from './registration.ts';
import type { Section } from './section.ts';
import { stringifiedList } from './stringified-list.ts';
import { textGrowth } from './text-growth.ts';
import { validCalls } from './valid-calls.ts';

const settings = { rounds: 15, milliseconds: 20 };

const parts: Readonly<Record<string, () => Section>> = {
  valid: () => validCalls(settings),
  list: () => stringifiedList(settings),
  rules: () => eachRule(settings),
  places: () => failingPlaces(settings),
  register: registration,
  growth: textGrowth,
};

/** `given`: names of parts, all if there are none; `--write` keeps the tables. True if every goal is met. */
export function bench(given: readonly string[]): boolean {
  const wanted = given.filter((argument) => Object.hasOwn(parts, argument));
  const names = wanted.length > 0 ? wanted : Object.keys(parts);
  const sections = names.flatMap((name) => {
    const section = parts[name]?.();
    if (section !== undefined) console.log(`${renderSections([section])}\n`);
    return section ?? [];
  });
  if (given.includes('--write')) writeBenchmarks(renderSections(sections));
  return sections.every(({ goals }) => goals.every(({ isMet }) => isMet));
}
