// A call that waits for an approval.
import { html } from 'htm/preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ArgumentEdit, EditJudgement, PageDecision } from '../src/page/decision-data.ts';
import type { JsonObject } from '../src/json/value.ts';
import type { TypedValue } from './argument-field.ts';
import { argumentRows } from './argument-rows.ts';
import { ArgumentTable, type EditedArguments } from './argument-table.ts';
import { DecisionHead } from './decision-head.ts';
import { type ReadCase, judgeEdit, useNow } from './decisions.ts';
import { Difference } from './difference-view.ts';
import { timeLeft } from './format.ts';
import { useKeys } from './keyboard.ts';
import { type Rendered, button, icon } from './parts.ts';
import { repairGroups } from './repair-groups.ts';
import { RepairList } from './repair-list.ts';

interface ApprovalProps {
  readonly read: ReadCase;
  readonly decide: (decision: PageDecision) => void;
  /** A decision is on its way. */
  readonly isDeciding: boolean;
}

type Stage = 'looking' | 'editing' | 'denying' | 'armed';

const noEdits: EditedArguments = new Map();

export function ApprovalPanel({ read, decide, isDeciding }: ApprovalProps): Rendered {
  const { decision, detail } = read;
  const { approval = '', effects, obstacle } = decision;
  const [stage, setStage] = useState<Stage>('looking');
  const [edited, setEdited] = useState(noEdits);
  const judgement = useJudgement(decision.id, edited);
  const place = useRef<HTMLDivElement>(null);
  const focus = (selector: string): void =>
    place.current?.querySelector<HTMLElement>(selector)?.focus();
  // Before the next key: Ctrl Enter, then Enter, approves an edit of a destructive call.
  useLayoutEffect(() => {
    if (stage === 'editing') focus('[data-argument]');
    if (stage === 'denying') focus('.deny textarea');
    if (stage === 'armed') focus('.approve .btn');
  }, [stage]);
  const sent = sentObject(detail.sent);
  const rows = argumentRows(decision, detail, sent);
  const mayApprove =
    obstacle === undefined && !isDeciding && (edited.size === 0 || isPassing(judgement));
  const approve = (): void => {
    if (!mayApprove) return;
    if (effects === 'destructive' && stage !== 'armed') setStage('armed');
    else
      decide({
        decision: 'approve',
        approval,
        ...(edited.size === 0 ? {} : { edit: editOf(edited) }),
      });
  };
  const stop = (): void => {
    if (stage === 'editing') setEdited(noEdits);
    setStage(stage === 'armed' && edited.size > 0 ? 'editing' : 'looking');
    place.current?.focus();
  };
  useKeys({
    a: mayApprove ? approve : undefined,
    e: obstacle === undefined && stage === 'looking' ? () => setStage('editing') : undefined,
    d: obstacle === undefined ? () => setStage('denying') : undefined,
    Escape: stage === 'looking' ? undefined : stop,
  });
  const set = (name: string, typed: TypedValue): void =>
    setEdited(new Map([...edited, [name, typed]]));
  const isEditing = stage === 'editing' || (stage === 'armed' && edited.size > 0);
  const groups = repairGroups(detail.repairs);
  return html`<div
    class="case-body"
    ref=${place}
    tabindex="-1"
    onKeyDown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape' && stage !== 'looking') stop();
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && stage === 'editing')
        approve();
    }}
  >
    <${DecisionHead} decision=${decision} />
    ${
      detail.sent === undefined || sent !== undefined
        ? ''
        : html`<${Difference}
            sent=${detail.sent}
            used=${decision.arguments}
            groups=${groups}
            issues=${[]}
          />`
    }
    <${ArgumentTable}
      rows=${rows}
      edited=${edited}
      editing=${isEditing ? { set, problems: problemsOf(edited, judgement) } : undefined}
    />
    ${groups.length === 0 ? '' : html`<${RepairList} groups=${groups} />`}
    ${isEditing ? html`<${Judgement} edited=${edited} judgement=${judgement} />` : ''}
    ${
      stage === 'denying'
        ? html`<${Denial} decide=${decide} stop=${stop} isDeciding=${isDeciding} />`
        : html`<${Actions}
            label=${approvalLabel(stage, edited)}
            approve=${mayApprove ? approve : undefined}
            stage=${stage}
            isEditing=${isEditing}
            setStage=${setStage}
            stop=${stop}
            decision=${decision}
          />`
    }
  </div>`;
}

function approvalLabel(stage: Stage, edited: EditedArguments): string {
  if (stage === 'armed') return 'It is destructive. Approve';
  return edited.size > 0 ? 'Approve as edited' : 'Approve';
}

interface ActionsProps {
  readonly label: string;
  /** Undefined: it can't be approved now. */
  readonly approve: (() => void) | undefined;
  readonly stage: Stage;
  readonly isEditing: boolean;
  readonly setStage: (stage: Stage) => void;
  readonly stop: () => void;
  readonly decision: ReadCase['decision'];
}

function Actions({
  label,
  approve,
  stage,
  isEditing,
  setStage,
  stop,
  decision,
}: ActionsProps): Rendered {
  const disabled = decision.obstacle !== undefined;
  return html`<div class="actbar">
    <span class="approve">
      ${button({
        label,
        shortcut: stage === 'armed' ? '⏎' : isEditing ? 'Ctrl ⏎' : 'a',
        does: () => approve?.(),
        kind: 'primary',
        disabled: approve === undefined,
      })}
    </span>
    ${
      isEditing
        ? button({ label: 'Stop editing', shortcut: 'Esc', does: stop })
        : button({ label: 'Edit', shortcut: 'e', does: () => setStage('editing'), disabled })
    }
    ${button({
      label: 'Deny',
      shortcut: 'd',
      kind: 'danger',
      does: () => setStage('denying'),
      disabled,
    })}
    <${Expiry} expiresAt=${decision.expiresAt} />
  </div>`;
}

/** The arguments as sent, if they are an object. */
function sentObject(sent: string | undefined): string | undefined {
  try {
    const value: unknown = JSON.parse(sent ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? sent : undefined;
  } catch {
    return undefined;
  }
}

function editOf(edited: EditedArguments): ArgumentEdit {
  const values = [...edited].flatMap(([name, typed]) =>
    typed.kind === 'value' ? [[name, typed.value] as const] : [],
  );
  const removed = [...edited].flatMap(([name, { kind }]) => (kind === 'absent' ? [name] : []));
  const json: JsonObject = JSON.parse(JSON.stringify(Object.fromEntries(values)));
  return { values: json, removed };
}

const hasUnreadable = (edited: EditedArguments): boolean =>
  [...edited.values()].some(({ kind }) => kind === 'unreadable');

/** The answer of the server about the edit as it is now; undefined: it has not come yet. */
function useJudgement(id: string, edited: EditedArguments): EditJudgement | undefined {
  const [judged, setJudged] = useState<{
    readonly edited: EditedArguments;
    readonly judgement: EditJudgement;
  }>();
  useEffect(() => {
    if (edited.size === 0 || hasUnreadable(edited)) return undefined;
    const timer = setTimeout(() => {
      judgeEdit(id, editOf(edited)).then(
        (judgement) => setJudged({ edited, judgement }),
        () => undefined,
      );
    }, typingMs);
    return () => clearTimeout(timer);
  }, [id, edited]);
  return useMemo(
    () => (judged?.edited === edited ? judged.judgement : undefined),
    [judged, edited],
  );
}

/** Keys that follow each other within this time are judged together. */
const typingMs = 80;

const isPassing = (judgement: EditJudgement | undefined): boolean =>
  judgement !== undefined && judgement.status !== 'rejected';

function problemsOf(
  edited: EditedArguments,
  judgement: EditJudgement | undefined,
): ReadonlyMap<string, string> {
  const unreadable = [...edited].flatMap(([name, { kind }]) =>
    kind === 'unreadable' ? [[name, 'This is not JSON.'] as const] : [],
  );
  const issues = judgement?.issues ?? [];
  return new Map([...issues.map(({ name, text }) => [name, text] as const), ...unreadable]);
}

interface JudgementProps {
  readonly edited: EditedArguments;
  readonly judgement: EditJudgement | undefined;
}

function Judgement({ edited, judgement }: JudgementProps): Rendered {
  if (edited.size === 0)
    return html`<p class="judge ok" role="status">${icon('valid')} Nothing changed yet.</p>`;
  if (hasUnreadable(edited))
    return html`<p class="judge bad" role="status">
      ${icon('rejected')} One argument is not JSON.
    </p>`;
  if (judgement === undefined) return html`<p class="judge" role="status">Judging …</p>`;
  const { status, issues, repairs } = judgement;
  if (status === 'rejected') {
    const whole = issues.filter(({ name }) => name === '').map(({ text }) => text);
    const names = new Set(issues.map(({ name }) => name)).size;
    return html`<p class="judge bad" role="status">
      ${icon('rejected')}
      ${names === 1 ? 'One argument doesn’t pass.' : `${names} arguments don’t pass.`}
      ${whole.join(' ')} Judged as you type.
    </p>`;
  }
  return html`<p class="judge ok" role="status">
      ${icon(status)} Passes${status === 'repaired' ? ', after a repair' : ''}. The model is told
      what you changed.
    </p>
    ${
      repairs.length === 0
        ? ''
        : html`<${RepairList} groups=${repairGroups(repairs)} />
            <p class="dim">Will run: <code>${judgement.arguments}</code></p>`
    }`;
}

interface DenialProps extends Pick<ApprovalProps, 'decide' | 'isDeciding'> {
  readonly stop: () => void;
}

function Denial({ decide, stop, isDeciding }: DenialProps): Rendered {
  const [reason, setReason] = useState('');
  const deny = (): void => {
    const message = reason.trim();
    if (!isDeciding) decide({ decision: 'deny', ...(message === '' ? {} : { message }) });
  };
  return html`<form
    class="deny"
    onSubmit=${(event: Event) => {
      event.preventDefault();
      deny();
    }}
  >
    <label for="why">Reason. The model reads it.</label>
    <textarea
      id="why"
      rows="2"
      value=${reason}
      onInput=${({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }) =>
        setReason(currentTarget.value)}
      onKeyDown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) deny();
      }}
    ></textarea>
    <div>
      ${button({ label: 'Deny', shortcut: 'Ctrl ⏎', kind: 'danger', does: deny, disabled: isDeciding })}
      ${button({ label: 'Back', shortcut: 'Esc', does: stop })}
    </div>
  </form>`;
}

function Expiry({ expiresAt }: { readonly expiresAt: string | undefined }): Rendered {
  const now = useNow();
  if (expiresAt === undefined) return html``;
  const left = Date.parse(expiresAt) - now;
  return left > 0
    ? html`<span class="exp">expires in <b class="num">${timeLeft(left)}</b></span>`
    : html`<span class="exp">It has expired: approving asks again.</span>`;
}
