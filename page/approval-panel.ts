// A call that waits for an approval.
import { html } from 'htm/preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageDecision } from '../src/page/decision-data.ts';
import type { TypedValue } from './argument-field.ts';
import { argumentRows } from './argument-rows.ts';
import { ArgumentTable, type EditedArguments } from './argument-table.ts';
import { DecisionHead, Expiry } from './decision-head.ts';
import type { ReadCase } from './decisions.ts';
import { Difference } from './difference-view.ts';
import {
  Judgement,
  editOf,
  isPassing,
  noEdits,
  problemsOf,
  useJudgement,
} from './edit-judgement.ts';
import { useKeys } from './keyboard.ts';
import { type Rendered, button } from './parts.ts';
import { repairGroups } from './repair-groups.ts';
import { RepairList } from './repair-list.ts';

interface ApprovalProps {
  readonly read: ReadCase;
  readonly decide: (decision: PageDecision) => void;
  /** A decision is on its way. */
  readonly isDeciding: boolean;
}

type Stage = 'looking' | 'editing' | 'denying' | 'armed';

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
    ${
      isEditing
        ? html`<${Judgement}
            edited=${edited}
            judgement=${judgement}
            told="The model is told what you changed."
          />`
        : ''
    }
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
    <${Expiry} expiresAt=${decision.expiresAt} afterwards="approving asks again" />
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
