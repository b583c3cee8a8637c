// What does argument text say that is no JSON object? Rule by rule, each taking something from around it.
import { excerptOf } from '../issues/excerpt.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { parseJson } from '../json/reader/parse-json.ts';
import type { NumberTexts } from '../json/reader/number-texts.ts';
import type { Reading, RepeatedKey } from '../json/reader/reading.ts';
import { namesAnotherTool } from './named-tool.ts';
import type { RepeatedInText, TextQuestion } from './text-rule.ts';
import { textRuleTable } from './text-rule-table.ts';

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
    reading = parseJson(text, facts.maxDepth, 'exact');
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
    : excerptOf(root, 'hidden');
