import { html } from 'htm/preact';
import { repairSentence } from '../src/page/repair-sentences.ts';
import type { ListedRepair } from '../src/page/page-data.ts';
import type { Rendered } from './parts.ts';
import type { RepairGroup } from './repair-groups.ts';

const mostPlaces = 3;

export const RepairList = ({ groups }: { readonly groups: readonly RepairGroup[] }): Rendered =>
  html`<ol class="reps">
    ${groups.map(({ rule, repairs }, index) => {
      const places = [...new Set(repairs.flatMap(placesOf))];
      const others = places.length - mostPlaces;
      return html`<li>
        <span class="rn">${index + 1}</span>
        <p>
          ${places.slice(0, mostPlaces).map((place, at) => html`${at === 0 ? '' : ', '}<code>${place}</code>`)}
          ${others > 0 ? ` and ${others} more` : ''}${places.length === 0 ? '' : ': '}${repairSentence(rule)}
        </p>
        <code class="rule">${rule}</code>
        ${repairs.length > 1 ? html`<span class="times">×${repairs.length}</span>` : html`<span></span>`}
      </li>`;
    })}
  </ol>`;

/** `todos.0.title`; from where a key was moved, and to where. */
function placesOf({ path, operations }: ListedRepair): readonly string[] {
  const moved = operations.flatMap((operation) =>
    operation.from !== undefined
      ? [`${placeName(operation.from)} → ${placeName(operation.path)}`]
      : [],
  );
  if (moved.length > 0) return moved;
  const changed = operations
    .map((operation) => placeName(operation.path))
    .filter((name) => name !== '');
  return changed.length > 0 ? changed : [placeName(path)].filter((name) => name !== '');
}

const placeName = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
