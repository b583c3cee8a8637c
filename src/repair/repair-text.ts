import type { NumberTexts, Reading, RepeatedKey } from '../json/exact-numbers.ts';
import { parseJson } from '../json/parse.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../json/value.ts';
import { preview } from '../json/preview.ts';
import { namesAnotherTool } from './named-tool.ts';
import type { RepeatedInText, TextQuestion, TextRule } from './text-rule.ts';
import { callSyntax } from './text-rules/call-syntax.ts';
import { codeFence } from './text-rules/code-fence.ts';
import { doubleEncoded } from './text-rules/double-encoded.ts';
import { emptyText } from './text-rules/empty-text.ts';
import { looseJson } from './text-rules/loose-json.ts';
import { repeatedObject } from './text-rules/repeated-object.ts';
import { singleRoot } from './text-rules/single-root.ts';
import { surroundingText } from './text-rules/surrounding-text.ts';

// What needs no reading first, what leaves something out last.
export const textRuleTable: readonly TextRule[] = Object.freeze([
  emptyText,
  doubleEncoded,
  singleRoot,
  codeFence,
  callSyntax,
  looseJson,
  repeatedObject,
  surroundingText,
]);

/** Whether a text rule keeps everything that was sent, so that it may act on a destructive tool. */
export const isLosslessTextRule = (rule: string): boolean =>
  textRuleTable.some(({ id, keeps }) => id === rule && keeps === 'lossless');

// Rule by rule, each taking something from around it.
export interface MendedText {
  readonly kind: 'mended';
  readonly value: JsonObject;
  readonly numbers: NumberTexts;
  readonly repeatedKeys: readonly RepeatedKey[];
  /** The rules that acted, in order, and what each found. */
  readonly steps: readonly TextStep[];
}

export interface TextStep {
  readonly rule: string;
  readonly was: string;
}

/** A text in a fence in a string: no more than this many rules act on one text, the last of which gives the object. */
const mostSteps = 4;

/** `first`: what reading the text as JSON gave. Undefined where no rule knows it, or what is inside can't be read. */
export function mendText(
  sent: string,
  first: Reading,
  facts: Omit<TextQuestion, 'text' | 'root'>,
): MendedText | RepeatedInText | undefined {
  // A text that was cut says so; and markup that names another tool is no call of this one.
  if (facts.end === 'cut' || namesAnotherTool(sent, facts.toolName)) return undefined;
  let text = sent;
  let reading = first;
  const steps: TextStep[] = [];
  while (steps.length < mostSteps) {
    if (reading.kind === 'read' && isJsonObject(reading.value))
      return { ...reading, kind: 'mended', value: reading.value, steps };
    const root = reading.kind === 'read' ? reading.value : undefined;
    const step = firstProposal({ ...facts, text, root });
    if (step === undefined) return undefined;
    if (step.proposal.kind === 'repeated') return step.proposal;
    steps.push({ rule: step.rule, was: shortForm(text, root) });
    if (step.proposal.kind === 'object') return { ...step.proposal, kind: 'mended', steps };
    text = step.proposal.text;
    reading = parseJson(text, facts.maxDepth);
  }
  return undefined;
}

function firstProposal(question: TextQuestion) {
  for (const rule of textRuleTable) {
    const proposal = rule.propose(question);
    if (proposal.kind !== 'silent') return { rule: rule.id, proposal };
  }
  return undefined;
}

// Text may hold what the schema calls a secret; only its kind and size are told.
const shortForm = (text: string, root: JsonValue | undefined): string =>
  root === undefined || typeof root === 'string'
    ? `text of ${text.length} characters`
    : preview(root, 'hidden');
