// What the definitions of the tools cost in each request, by tool, hint and field.
import { html } from 'htm/preact';
import { useRef, useState } from 'preact/hooks';
import type { Cost, RepeatedSentence, ToolCost } from '../src/providers/tool-cost.ts';
import { counted, wholeNumber } from './format.ts';
import { useReadAgain } from './numbers.ts';
import { type Rendered, button, numbersHead } from './parts.ts';
import { readCosts } from './server.ts';

const fewTools = 12;
const mostFields = 40;
const mostSentences = 5;

export function CostTable({ isLive }: { readonly isLive: boolean }): Rendered | string {
  const [provider, setProvider] = useState<string>();
  const [isWhole, setIsWhole] = useState(false);
  const answer = useReadAgain(() => readCosts(provider), `costs ${provider ?? ''}`, isLive);
  // The table stays while that of another provider is read.
  const lastAnswer = useRef(answer);
  lastAnswer.current = answer ?? lastAnswer.current;
  const shownCosts = lastAnswer.current;
  if (shownCosts === undefined) return '';
  const { providers, cost } = shownCosts;
  const { tools, repeatedSentences } = cost;
  return html`<section class="panel a-costs" aria-labelledby="h-costs">
    <header>
      <h2 id="h-costs">
        What tools cost${' '}
        <small>
          ${amount(cost)} in each request that offers ${counted(tools.length, 'tool')} (tokens as
          tokenx estimates them)
        </small>
      </h2>
      <select
        aria-label="Provider"
        value=${cost.provider}
        onChange=${({ currentTarget }: ChangeOfSelect) => setProvider(currentTarget.value)}
      >
        ${providers.map((name) => html`<option value=${name}>${name}</option>`)}
      </select>
    </header>
    <div class="scroll" tabindex="0" role="region" aria-label="Costs, scrolls sideways">
      <table class="tbl costs">
        ${numbersHead('Tool', ['Tokens', 'Bytes', 'Tokens of description', 'Tokens of hints'])}
        ${tools
          .slice(0, isWhole ? tools.length : fewTools)
          .map((tool) => html`<${ToolRows} key=${tool.tool} cost=${tool} />`)}
      </table>
    </div>
    ${
      tools.length > fewTools && !isWhole
        ? html`<p>
            ${button({ label: `Show all ${tools.length} tools`, does: () => setIsWhole(true) })}
          </p>`
        : ''
    }
    ${repeatedSentences.length === 0 ? '' : html`<${Sentences} sentences=${repeatedSentences} />`}
  </section>`;
}

interface ChangeOfSelect {
  readonly currentTarget: HTMLSelectElement;
}

const amount = ({ tokens, bytes }: Cost): string =>
  `${counted(tokens, 'token')}, ${counted(bytes, 'byte')}`;

const sumOfTokens = (costs: readonly Cost[]): number =>
  costs.reduce((sum, { tokens }) => sum + tokens, 0);

function ToolRows({ cost }: { readonly cost: ToolCost }): Rendered {
  const { tool, tokens, bytes, description, hints, fields } = cost;
  const [isOpen, setIsOpen] = useState(false);
  return html`<tbody>
    <tr>
      <th scope="row">
        <button
          type="button"
          class="fold"
          aria-expanded=${isOpen}
          onClick=${() => setIsOpen(!isOpen)}
        >
          <code>${tool}</code>
        </button>
      </th>
      <td class="r"><b>${wholeNumber(tokens)}</b></td>
      <td class="r">${wholeNumber(bytes)}</td>
      <td class="r">${wholeNumber(description.tokens)}</td>
      <td class="r">${wholeNumber(sumOfTokens(hints))}</td>
    </tr>
    ${
      isOpen
        ? html`
            ${hints.map(({ hint, ...hintCost }) => partRow(html`hint: ${hint}`, hintCost))}
            ${fields
              .slice(0, mostFields)
              .map(({ field, ...fieldCost }) => partRow(html`<code>${field}</code>`, fieldCost))}
            ${
              fields.length > mostFields
                ? html`<tr>
                    <td colspan="5" class="dim">
                      ${counted(fields.length - mostFields, 'smaller field')}: not shown
                    </td>
                  </tr>`
                : ''
            }
          `
        : ''
    }
  </tbody>`;
}

const partRow = (name: Rendered, { tokens, bytes }: Cost): Rendered =>
  html`<tr class="part">
    <th scope="row">${name}</th>
    <td class="r">${wholeNumber(tokens)}</td>
    <td class="r">${wholeNumber(bytes)}</td>
    <td colspan="2"></td>
  </tr>`;

const Sentences = ({ sentences }: { readonly sentences: readonly RepeatedSentence[] }): Rendered =>
  html`<ul class="said">
    ${sentences
      .slice(0, mostSentences)
      .map(
        ({ sentence, times, savedTokens }) =>
          html`<li>
            “${sentence}” is said ${times} times: once would save ${counted(savedTokens, 'token')}.
          </li>`,
      )}
  </ul>`;
