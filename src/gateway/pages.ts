// What the gateway says of itself: metrics, and tables for reports.
import { type ModelCounts, totalOf } from './call-counts.ts';
import type { CurrentStats } from './gateway-record.ts';
import type { Histogram } from './request-counts.ts';

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
export function metricsText(stats: CurrentStats): string {
  const { exchanges, models, addedTime, requests, open } = stats;
  const lines = [
    ...family('toolmend_gateway_exchanges_total', 'counter', 'Requests by API and end.'),
    ...exchanges.map(({ protocol, end, count }) =>
      sample('toolmend_gateway_exchanges_total', { protocol, end }, count),
    ),
    ...family('toolmend_gateway_calls_total', 'counter', 'Tool calls by model, tool and status.'),
    ...samplesOf(models, 'statuses', 'toolmend_gateway_calls_total', 'status'),
    ...family(
      'toolmend_gateway_repairs_total',
      'counter',
      'Repaired calls by model, tool and rule.',
    ),
    ...samplesOf(models, 'rules', 'toolmend_gateway_repairs_total', 'rule'),
    ...family(
      'toolmend_gateway_issues_total',
      'counter',
      'Rejected calls by model, tool and kind of issue.',
    ),
    ...samplesOf(models, 'issues', 'toolmend_gateway_issues_total', 'issue'),
    ...family(
      'toolmend_gateway_added_seconds',
      'histogram',
      "The gateway's own work in an exchange.",
    ),
    ...histogram('toolmend_gateway_added_seconds', {}, addedTime),
    ...family('toolmend_gateway_requests_total', 'counter', 'Requests by API and status.'),
    ...requests.answers.map(({ protocol, status, count }) =>
      sample('toolmend_gateway_requests_total', { protocol, status: String(status) }, count),
    ),
    ...family(
      'toolmend_gateway_first_byte_seconds',
      'histogram',
      'From a request to the first byte of its answer, by API.',
    ),
    ...requests.firstByte.flatMap(({ protocol, times }) =>
      histogram('toolmend_gateway_first_byte_seconds', { protocol }, times),
    ),
    ...family(
      'toolmend_gateway_open_requests',
      'gauge',
      'Requests that wait for the first byte of their answer, and answers that stream.',
    ),
    ...Object.entries(open).map(([state, count]) =>
      sample('toolmend_gateway_open_requests', { state }, count),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const family = (name: string, type: string, help: string): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

type Labels = Readonly<Record<string, string>>;

const histogram = (name: string, labels: Labels, times: Histogram): readonly string[] => [
  ...times.atMost.map(({ seconds, count }) =>
    sample(`${name}_bucket`, { ...labels, le: String(seconds) }, count),
  ),
  sample(`${name}_bucket`, { ...labels, le: '+Inf' }, times.count),
  sample(`${name}_sum`, labels, times.seconds),
  sample(`${name}_count`, labels, times.count),
];

const samplesOf = (
  models: readonly ModelCounts[],
  kind: 'statuses' | 'rules' | 'issues',
  name: string,
  label: string,
): readonly string[] =>
  models.flatMap(({ model, tools }) =>
    tools.flatMap((counts) =>
      Object.entries(counts[kind]).map(([value, count]) =>
        sample(name, { model, tool: counts.tool, [label]: value }, count),
      ),
    ),
  );

function sample(name: string, labels: Labels, value: number): string {
  const labelTexts = Object.entries(labels).map(
    ([label, text]) => `${label}="${escapedLabel(text)}"`,
  );
  return `${name}${labelTexts.length === 0 ? '' : `{${labelTexts.join(',')}}`} ${value}`;
}

const escapedLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** The headings and rows of the report about models. */
export const modelTable = (
  models: readonly ModelCounts[],
): { readonly heading: readonly string[]; readonly rows: readonly (readonly string[])[] } => ({
  heading: [
    'model',
    'calls',
    'unchanged',
    'repaired',
    'rejected',
    'unknown tool',
    'left in text',
    'turns saved',
    'valid by strict',
    'right when asked again',
    'most frequent',
  ],
  rows: models.map(({ model, calls, tools, savedTurns, strictCalls, retriedTurns }) => {
    const statuses = totalOf(tools, 'statuses');
    const [rule] = totalOf(tools, 'rules');
    const counts = ['unchanged', 'repaired', 'rejected', 'unknown_tool', 'left_in_text'].map(
      (status) => statuses.get(status) ?? 0,
    );
    const most = rule === undefined ? '' : `${rule[0]} (${rule[1]})`;
    const numbers = [calls, ...counts, savedTurns, strictCalls, retriedTurns];
    return [model, ...numbers.map(String), most];
  }),
});

/** What each model gets wrong: a row for each tool and rule or issue. */
export const mistakeTable = (
  models: readonly ModelCounts[],
): { readonly heading: readonly string[]; readonly rows: readonly (readonly string[])[] } => ({
  heading: ['model', 'tool', 'mistake', 'calls', 'repaired'],
  rows: models.flatMap(({ model, tools }) =>
    tools.flatMap(({ tool, rules, issues }) => [
      ...Object.entries(rules).map(([rule, count]) => [model, tool, rule, String(count), 'yes']),
      ...Object.entries(issues).map(([issue, count]) => [model, tool, issue, String(count), 'no']),
    ]),
  ),
});
