import { html } from 'htm/preact';
import {
  type Hunk,
  type JsonLine,
  type MarkedLine,
  type TextPiece,
  jsonDifference,
  jsonLines,
  textDifference,
} from '../src/page/difference.ts';
import type { RejectedPlace } from '../src/store/call-figures.ts';
import type { Rendered } from './parts.ts';
import type { RepairGroup } from './repair-groups.ts';

interface DifferenceProps {
  readonly sent: string;
  /** JSON text. Undefined: nothing ran. */
  readonly used: string | undefined;
  readonly groups: readonly RepairGroup[];
  readonly issues: readonly RejectedPlace[];
}

/** What was sent beside what was used; of a rejected call, what was sent with what is wrong in it. */
export function Difference({ sent, used, groups, issues }: DifferenceProps): Rendered {
  const isText = !isJsonObject(sent);
  if (used === undefined) return html`<${Sent} sent=${sent} isText=${isText} issues=${issues} />`;
  const head = html`<div class="dh">
    <span>Sent<small>${isText ? 'argument text, as it came' : 'arguments, decoded'}</small></span>
    <span>Used<small>${groups.length > 0 ? 'after repair' : 'unchanged'}</small></span>
  </div>`;
  if (isText)
    return html`<div class="diff">
      ${head}<${Words} sent=${sent} used=${used} groups=${groups} />
    </div>`;
  const operations = groups.map(({ repairs }) => repairs.flatMap((repair) => repair.operations));
  const hunks = jsonDifference(sent, used, operations);
  return html`<div class="diff">
    ${head}${hunks.map((hunk) => html`<${HunkRows} hunk=${hunk} />`)}
  </div>`;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function HunkRows({ hunk: { isSame, left, right } }: { readonly hunk: Hunk }): Rendered {
  const fill = html`<div class="ln fill"></div>`;
  return html`<div class=${`h ${isSame ? 'same' : 'chg'}`}>
    <div class="c cl">
      ${left.length === 0 ? fill : left.map((line) => html`<${Line} line=${line} side=${isSame ? '' : 'sent'} />`)}
    </div>
    <div class="c cr">
      ${right.length === 0 ? fill : right.map((line) => html`<${Line} line=${line} side=${isSame ? '' : 'used'} />`)}
    </div>
  </div>`;
}

function Line({
  line,
  side,
}: {
  readonly line: MarkedLine;
  readonly side: '' | 'sent' | 'used';
}): Rendered {
  const { number, indent, key, value, marks, keepsKey } = line;
  const mark = side === 'sent' ? '−' : side === 'used' ? '+' : '';
  const [plain, changed] = keepsKey ? [key, value] : ['', key + value];
  return html`<div class="ln">
    <span class="no" aria-hidden="true">${number}</span>
    <span class="mk" aria-hidden="true">${mark}</span>
    <code style=${{ '--in': String(indent * 2) }}
      >${side === '' ? html`<${Long} text=${key + value} />` : html`${plain}${changedText(changed, side)}`}</code
    >
    <${Marks} numbers=${marks} />
  </div>`;
}

/** The numbers of the repairs that a line shows. */
const Marks = ({ numbers }: { readonly numbers: readonly number[] }): Rendered =>
  html`<span class="marks"
    >${numbers.map((one) => html`<sup class="rn" title=${`Repair ${one}`}>${one}</sup>`)}</span
  >`;

const changedText = (text: string, side: 'sent' | 'used'): Rendered =>
  side === 'sent'
    ? html`<del><${Long} text=${text} /></del>`
    : html`<ins><${Long} text=${text} /></ins>`;

const longText = 260;
const firstPart = 200;

/** The rest of a long text is shown on demand. */
const Long = ({ text }: { readonly text: string }): Rendered =>
  text.length <= longText
    ? html`${text}`
    : html`${text.slice(0, firstPart)}
        <details class="more">
          <summary>${text.length - firstPart} more characters</summary>
          ${text.slice(firstPart)}
        </details>`;

interface WordsProps {
  readonly sent: string;
  readonly used: string;
  readonly groups: readonly RepairGroup[];
}

function Words({ sent, used, groups }: WordsProps): Rendered {
  const shown = jsonLines(used)
    .map(({ indent, key, value }) => '  '.repeat(indent) + key + value)
    .join('\n');
  const { left, right } = textDifference(sent, shown);
  const pieces = (
    those: readonly TextPiece[],
    side: 'sent' | 'used',
  ): readonly (Rendered | string)[] =>
    those.map(({ text, isChanged }) => (isChanged ? changedText(text, side) : text));
  return html`<div class="h chg raw">
    <div class="c cl">
      <div class="ln">
        <span class="no" aria-hidden="true">1</span><span class="mk" aria-hidden="true">−</span>
        <code>${sent === '' ? html`<i class="none">(empty)</i>` : pieces(left, 'sent')}</code>
        <${Marks} numbers=${groups.map((_group, at) => at + 1)} />
      </div>
    </div>
    <div class="c cr">
      <div class="ln">
        <span class="no" aria-hidden="true">1</span><span class="mk" aria-hidden="true">+</span>
        <code>${pieces(right, 'used')}</code>
      </div>
    </div>
  </div>`;
}

type SentProps = Pick<DifferenceProps, 'sent' | 'issues'> & { readonly isText: boolean };

function Sent({ sent, isText, issues }: SentProps): Rendered {
  const about = isText
    ? `argument text, as it came, ${sent.length} characters`
    : 'arguments, decoded';
  const lines = isText ? sent.split('\n').map(textLine) : withMissing(jsonLines(sent), issues);
  return html`<div class="diff one">
    <div class="dh">
      <span>Sent<small>${about}</small></span>
    </div>
    <div class="h">
      <div class="c cl">
        ${sent === '' ? html`<i class="none">(empty)</i>` : lines.map((line, at) => html`<${SentLine} line=${line} number=${numberAt(lines, at)} />`)}
      </div>
    </div>
  </div>`;
}

/** Lines that are missing have no number. */
const numberAt = (lines: readonly JudgedLine[], at: number): number =>
  lines.slice(0, at + 1).filter(({ fault }) => fault !== 'missing').length;

interface JudgedLine extends JsonLine {
  readonly fault?: 'bad' | 'missing';
}

const textLine = (value: string): JudgedLine => ({ indent: 0, key: '', value, path: '' });

/** The lines with the issues on them, and a line for each key that is missing. */
function withMissing(
  lines: readonly JsonLine[],
  issues: DifferenceProps['issues'],
): readonly JudgedLine[] {
  const bad = new Set(
    issues.flatMap(({ keyword, path, key }) =>
      keyword === 'required' ? [] : key === undefined ? [path] : [`${path}/${key}`, path],
    ),
  );
  bad.delete('');
  const shown: JudgedLine[] = [];
  for (const line of lines) {
    const isCloser = /^[}\]],?$/.test(line.value);
    const absent = issues.filter(
      ({ keyword, path, key }) => keyword === 'required' && key !== undefined && path === line.path,
    );
    if (isCloser || line.value.startsWith('{}'))
      for (const { key = '' } of absent)
        shown.push({
          indent: line.indent + 1,
          key: '',
          value: `${JSON.stringify(key)} is missing`,
          path: '',
          fault: 'missing',
        });
    shown.push(bad.has(line.path) && !isCloser ? { ...line, fault: 'bad' } : line);
  }
  return shown;
}

function SentLine({
  line,
  number,
}: {
  readonly line: JudgedLine;
  readonly number: number;
}): Rendered {
  const { indent, key, value, fault } = line;
  const text = key + value;
  return html`<div class=${`ln ${fault === undefined ? '' : 'bad'}`}>
    <span class="no" aria-hidden="true">${fault === 'missing' ? '' : number}</span>
    <span class="mk" aria-hidden="true">${fault === undefined ? '' : '!'}</span>
    <code style=${{ '--in': String(indent * 2) }}
      >${
        fault === 'missing'
          ? html`<i>${text}</i>`
          : fault === 'bad'
            ? html`<mark><${Long} text=${text} /></mark>`
            : html`<${Long} text=${text} />`
      }</code
    >
  </div>`;
}
