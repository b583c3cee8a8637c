// A call whose process ended while the tool was running.
import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { PageDecision } from '../src/page/decision-data.ts';
import { DecisionHead } from './decision-head.ts';
import type { ReadCase } from './decisions.ts';
import { Difference } from './difference-view.ts';
import { clockTime } from './format.ts';
import { useKeys } from './keyboard.ts';
import { type Rendered, button } from './parts.ts';
import { repairGroups } from './repair-groups.ts';

interface DoubtProps {
  readonly read: ReadCase;
  readonly decide: (decision: PageDecision) => void;
  readonly isDeciding: boolean;
}

type Answer = 'done' | 'run' | 'give_up';

const time = (iso: string): Rendered =>
  html`<time datetime=${iso} title=${iso}>${clockTime(Date.parse(iso))}</time>`;

export function DoubtPanel({ read, decide, isDeciding }: DoubtProps): Rendered {
  const { decision, detail } = read;
  const { obstacle, askedAt, changedAt } = decision;
  const [answer, setAnswer] = useState<Answer>('done');
  const [result, setResult] = useState('');
  const [known, setKnown] = useState('');
  const mayRun = obstacle === undefined;
  const maySettle =
    (obstacle === undefined || (obstacle === 'secrets' && answer !== 'run')) && !isDeciding;
  const settle = (): void => {
    if (!maySettle) return;
    const message = known.trim();
    if (answer === 'done') decide({ decision: 'done', result });
    else if (answer === 'run') decide({ decision: 'run' });
    else decide({ decision: 'give_up', ...(message === '' ? {} : { message }) });
  };
  useKeys({ s: settle });
  const option = (value: Answer, label: string, what: string, disabled = false): Rendered =>
    html`<label class="opt">
      <input
        type="radio"
        name="settle"
        value=${value}
        checked=${answer === value}
        disabled=${disabled}
        onChange=${() => setAnswer(value)}
      />
      <span><b>${label}</b><small>${what}</small></span>
    </label>`;
  const text = (label: string, value: string, set: (next: string) => void): Rendered =>
    html`<textarea
      class="mono"
      rows="2"
      aria-label=${label}
      value=${value}
      onInput=${({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }) =>
        set(currentTarget.value)}
      onKeyDown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) settle();
        if (event.key === 'Escape' && event.currentTarget instanceof HTMLElement)
          event.currentTarget.blur();
      }}
    ></textarea>`;
  return html`<div class="case-body">
    <${DecisionHead} decision=${decision} />
    <ol class="known" aria-label="What is known">
      <li class="ok">
        ${time(askedAt)} Written to the journal,
        ${detail.call.status === 'repaired' ? 'after a repair' : 'valid as sent'}
      </li>
      <li class="q">${time(changedAt)} Its process was gone. <b>Did the tool do its work?</b></li>
    </ol>
    <${Difference}
      sent=${detail.sent ?? decision.arguments ?? '{}'}
      used=${decision.arguments}
      groups=${repairGroups(detail.repairs)}
      issues=${[]}
    />
    <fieldset class="settle" disabled=${obstacle === 'no_tools' || obstacle === 'no_tool'}>
      <legend>Look in the other system, then settle</legend>
      ${option('done', 'It did its work', 'Recorded as completed. The model gets the result below.')}
      ${answer === 'done' ? text('Result for the model', result, setResult) : ''}
      ${option(
        'run',
        'It did not',
        mayRun
          ? 'Runs once more, with the same idempotency key.'
          : 'It can’t run from here: see above.',
        !mayRun,
      )}
      ${option(
        'give_up',
        'Nobody can tell',
        'Recorded as failed. The model is told that the outcome is unknown, or what you write.',
      )}
      ${answer === 'give_up' ? text('What is known, for the model', known, setKnown) : ''}
    </fieldset>
    <div class="actbar">
      ${button({
        label: 'Settle',
        shortcut: 's',
        kind: 'primary',
        does: settle,
        disabled: !maySettle,
      })}
    </div>
  </div>`;
}
