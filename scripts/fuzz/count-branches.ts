// Which ways does a program take? A counter in every function, branch, loop and operand that may be skipped.
import { parseSync } from 'oxc-parser';

/** The array of counters, in the global object of the program. */
export const countersName = '__toolmendBranches';

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

interface Insert {
  readonly at: number;
  readonly text: string;
}

/** TypeScript with counters, numbered from `first` on; `used` of them. */
export function countBranches(path: string, source: string, first: number): { code: string; used: number } {
  const inserts: Insert[] = [];
  let used = 0;
  const count = (): string => `globalThis.${countersName}[${first + used++}]++`;
  visit(parseSync(path, source, { lang: 'ts' }).program, (node) => {
    for (const way of waysOf(node)) inserts.push(...countWay(way, count));
  });
  return { code: withInserts(source, inserts), used };
}

function visit(part: unknown, look: (node: SyntaxNode) => void): void {
  if (typeof part !== 'object' || part === null) return;
  if (isNode(part)) look(part);
  for (const member of Object.values(part)) visit(member, look);
}

const isNode = (part: object): part is SyntaxNode => 'type' in part && 'start' in part && 'end' in part;

/** The parts of a node that may or may not run. */
function waysOf(node: SyntaxNode): readonly unknown[] {
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return [node['consequent'], node['alternate']];
    case 'LogicalExpression':
      return [node['right']];
    case 'FunctionExpression':
    case 'FunctionDeclaration':
    case 'ArrowFunctionExpression':
    case 'ForStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
      return [node['body']];
    default:
      return [];
  }
}

function countWay(way: unknown, count: () => string): readonly Insert[] {
  if (typeof way !== 'object' || way === null || !isNode(way)) return [];
  const { type, start, end } = way;
  if (type === 'BlockStatement' || type === 'FunctionBody') return [{ at: start + 1, text: `${count()};` }];
  return type.endsWith('Statement')
    ? [
        { at: start, text: `{${count()};` },
        { at: end, text: '}' },
      ]
    : [
        { at: start, text: `(${count()},(` },
        { at: end, text: '))' },
      ];
}

/** Stable: of several at one offset the outer one comes first, and all that close there are alike. */
function withInserts(source: string, inserts: readonly Insert[]): string {
  let at = 0;
  const parts: string[] = [];
  for (const insert of inserts.toSorted((left, right) => left.at - right.at)) {
    parts.push(source.slice(at, insert.at), insert.text);
    at = insert.at;
  }
  return [...parts, source.slice(at)].join('');
}
