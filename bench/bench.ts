// What is measured, in which order, and what is written where?
import { callOverhead } from './call-overhead.ts';
import { coldImport } from './cold-import.ts';
import { eachRule } from './each-rule.ts';
import { failingPlaces } from './failing-places.ts';
import { providerRequest } from './provider-request.ts';
import { renderSections } from './render-markdown.ts';
import { writeBenchmarks } from './write-benchmarks.ts';
import { registration } from './registration.ts';
import type { Section } from './section.ts';
import { stringifiedList } from './stringified-list.ts';
import { textGrowth } from './text-growth.ts';
import { validCalls } from './valid-calls.ts';

const settings = { rounds: 15, milliseconds: 20 };

const parts: Readonly<Record<string, () => Section | Promise<Section>>> = {
  valid: () => validCalls(settings),
  list: () => stringifiedList(settings),
  rules: () => eachRule(settings),
  places: () => failingPlaces(settings),
  register: registration,
  growth: textGrowth,
  call: () => callOverhead(settings),
  request: () => providerRequest(settings),
  import: coldImport,
};

/** `given`: names of parts, all if there are none; `--write` keeps the tables. True if every goal is met. */
export async function bench(given: readonly string[]): Promise<boolean> {
  const wanted = given.filter((argument) => Object.hasOwn(parts, argument));
  const names = wanted.length > 0 ? wanted : Object.keys(parts);
  const sections: Section[] = [];
  for (const name of names) {
    const section = await parts[name]?.();
    if (section === undefined) continue;
    console.log(`${renderSections([section])}\n`);
    sections.push(section);
  }
  if (given.includes('--write')) writeBenchmarks(renderSections(sections));
  return sections.every(({ goals }) => goals.every(({ isMet }) => isMet));
}
