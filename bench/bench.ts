import { brokenText } from './broken-text.ts';
import { callOverhead } from './call-overhead.ts';
import { callsInText } from './calls-in-text.ts';
import { coldImport } from './cold-import.ts';
import { eachRule } from './each-rule.ts';
import { failingLocations } from './failing-locations.ts';
import { firstCalls } from './first-calls.ts';
import { gateway } from './gateway.ts';
import { mcpLines } from './mcp-lines.ts';
import type { MeasureSettings } from './measure.ts';
import { journaledCalls } from './journaled-calls.ts';
import { providerRequest } from './provider-request.ts';
import { renderSections } from './render-markdown.ts';
import { writeBenchmarks } from './write-benchmarks.ts';
import { realCalls } from './real-calls.ts';
import { registration } from './registration.ts';
import type { Section } from './section.ts';
import { stringifiedList } from './stringified-list.ts';
import { textGrowth } from './text-growth.ts';
import { validCalls } from './valid-calls.ts';

const settings: MeasureSettings = { rounds: 15, milliseconds: 20, warmUp: 1_000 };
/** Shows that a part runs. Its numbers mean nothing. */
const shortSettings: MeasureSettings = { rounds: 1, milliseconds: 1, warmUp: 1 };

const parts: Readonly<Record<string, (settings: MeasureSettings) => Section | Promise<Section>>> = {
  valid: validCalls,
  list: stringifiedList,
  real: realCalls,
  rules: eachRule,
  locations: failingLocations,
  register: registration,
  broken: brokenText,
  growth: textGrowth,
  call: callOverhead,
  request: providerRequest,
  import: coldImport,
  first: firstCalls,
  journal: journaledCalls,
  gateway,
  lines: mcpLines,
  texts: callsInText,
};

/**
 * `given`: names of parts, by default all; `--write` puts the tables into
 * docs/internals/benchmarks.md, `--short` runs each subject a few times. True if every goal is met.
 */
export async function bench(given: readonly string[]): Promise<boolean> {
  const wanted = given.filter((argument) => Object.hasOwn(parts, argument));
  const names = wanted.length > 0 ? wanted : Object.keys(parts);
  const sections: Section[] = [];
  for (const name of names) {
    const section = await parts[name]?.(given.includes('--short') ? shortSettings : settings);
    if (section === undefined) continue;
    console.log(`${renderSections([section])}\n`);
    sections.push(section);
  }
  if (given.includes('--write')) writeBenchmarks(sections);
  return sections.every(({ goals }) => goals.every(({ isMet }) => isMet));
}
