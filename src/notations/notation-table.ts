import { deepseek } from './deepseek.ts';
import { elementXml } from './element-xml.ts';
import { functionary } from './functionary.ts';
import { gemma } from './gemma.ts';
import { glm } from './glm.ts';
import { harmony } from './harmony.ts';
import { invokeXml } from './invoke-xml.ts';
import { jsonInTags } from './json-in-tags.ts';
import { keylessEnvelope } from './keyless-envelope.ts';
import { kimi } from './kimi.ts';
import { kimiK3 } from './kimi-k3.ts';
import { mistral } from './mistral.ts';
import type { Notation } from './notation.ts';
import { pythonic } from './pythonic.ts';
import { qwenXml } from './qwen-xml.ts';
import { react } from './react.ts';

/**
 * All notations, in the order in which they are tried. The first one whose form a text has reads
 * it.
 */
export const notationTable: readonly Notation[] = Object.freeze([
  mistral,
  jsonInTags,
  qwenXml,
  invokeXml,
  elementXml,
  glm,
  gemma,
  kimi,
  kimiK3,
  deepseek,
  harmony,
  functionary,
  react,
  keylessEnvelope,
  pythonic,
]);

/** The word with which a notation, by its id, introduces a call; undefined if it has none. */
export const introductionIn = (id: string): string | undefined =>
  notationTable.find((notation) => notation.id === id)?.introduction;

/** What a notation, by its id, has for the arguments; JSON if it has none. */
export function argumentFormOf(id: string | undefined): 'json' | 'tags' | 'python' | 'braces' {
  const [form] = notationTable.find((notation) => notation.id === id)?.forms.slice(-1) ?? [];
  if (typeof form?.arguments === 'object') return 'tags';
  return form?.arguments === 'python' || form?.arguments === 'braces' ? form.arguments : 'json';
}
