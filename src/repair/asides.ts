/** What a part of a text is that is not the model's own call. `answer`: its answer to the user. */
type AsideKind = 'reasoning' | 'result' | 'role' | 'answer' | 'code';

interface Aside {
  readonly kind: AsideKind;
  /** Regular expressions of its beginning and of its end. */
  readonly opens: string;
  readonly closes: string;
  /** What ends it ends nothing else, so that it tells what is before it, too. */
  readonly isOwnEnd?: true;
}

const prefix = '(?:\\w{1,20}:)?';
export const reasoningNames = `${prefix}(?:think|thinking|reasoning|thoughts?|analysis|scratchpad)`;
export const resultNames = `${prefix}(?:tool_(?:response|result|output)s?|function_(?:response|result|output)s?|results?|observations?|output|examples?)`;
export const codeNames = 'pre|code';

const lineStart = '(?<=(?:^|\\n)[ \\t]{0,16})';
const turn = '<\\|(?:end|im_end|eot_id|eom_id|assistant)\\|>|<end_of_turn>';

/** Reasoning, results, other roles and code, but for those in tags. */
export const asides: readonly Aside[] = [
  { kind: 'reasoning', opens: '◁think▷', closes: '◁/think▷', isOwnEnd: true },
  { kind: 'reasoning', opens: '\\[THINK\\]', closes: '\\[/THINK\\]', isOwnEnd: true },
  { kind: 'reasoning', opens: '<\\|channel>thought', closes: '<channel\\|>', isOwnEnd: true },
  {
    kind: 'reasoning',
    opens: '<\\|channel\\|>analysis<\\|message\\|>',
    closes: '<\\|(?:end|return)\\|>|(?=<\\|start\\|>)',
  },
  {
    kind: 'answer',
    opens: '<\\|channel\\|>final<\\|message\\|>',
    closes: '<\\|(?:end|return)\\|>|(?=<\\|start\\|>)',
  },
  { kind: 'result', opens: '\\[TOOL_RESULTS\\]', closes: '\\[/TOOL_RESULTS\\]', isOwnEnd: true },
  {
    kind: 'result',
    opens: '<\\|tool_(?:response|result|output)s?\\|?>',
    closes: `<\\|/tool_(?:response|result|output)s?\\|>|<tool_(?:response|result|output)s?\\|>|${turn}`,
  },
  {
    kind: 'result',
    opens: `${lineStart}Observation:`,
    closes: '(?=\\n[ \\t]{0,16}(?:Thought|Action|Final Answer)\\b)',
  },
  {
    kind: 'role',
    opens: '<\\|im_start\\|>(?:tool|user|system|developer|function|observation)\\b',
    closes: turn,
  },
  {
    kind: 'role',
    opens: '<\\|start_header_id\\|>(?:tool|user|system|ipython)<\\|end_header_id\\|>',
    closes: turn,
  },
  { kind: 'role', opens: '<start_of_turn>(?:tool|user|system|developer)\\b', closes: turn },
  { kind: 'role', opens: '<\\|(?:user|system|developer|observation|ipython)\\|>', closes: turn },
  { kind: 'role', opens: '\\[INST\\]', closes: '\\[/INST\\]', isOwnEnd: true },
];

const tag = new RegExp(`<(/?)(${reasoningNames}|${resultNames}|${codeNames})(?:\\s[^<>]*)?>`, 'gi');
const around = asides
  .filter(({ kind }) => kind !== 'answer')
  .map(({ opens, closes, isOwnEnd }) => ({
    opens: new RegExp(opens, 'g'),
    closes: new RegExp(closes, 'g'),
    isOwnEnd,
  }));

/** Whether what is between two texts is inside reasoning, a result, another role's turn or code. */
export function isInsideAside(before: string, after: string): boolean {
  const open = new Map<string, number>();
  for (const [, slash, name = ''] of before.matchAll(tag)) {
    const depth = open.get(name.toLowerCase()) ?? 0;
    open.set(name.toLowerCase(), slash === '' ? depth + 1 : Math.max(0, depth - 1));
  }
  if ([...open.values()].some((depth) => depth > 0)) return true;
  const [next] = after.matchAll(tag);
  if (next?.[1] === '/') return true;
  return around.some(({ opens, closes, isOwnEnd }) => {
    const last = lastOf(before, opens);
    if (last !== undefined && before.slice(last).search(closes) === -1) return true;
    if (isOwnEnd !== true) return false;
    const end = after.search(closes);
    const start = after.search(opens);
    return end !== -1 && (start === -1 || end < start);
  });
}

/** The offset behind the last match. */
function lastOf(text: string, pattern: RegExp): number | undefined {
  let end: number | undefined;
  for (const found of text.matchAll(pattern)) end = found.index + found[0].length;
  return end;
}
