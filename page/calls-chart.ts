// Calls over time: how many, and below it the share that was not valid.
import { html } from 'htm/preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { sumOf } from '../src/page/call-numbers.ts';
import { type CallNumbers, type CallStatus, callStatuses } from '../src/page/page-data.ts';
import { axisTime, stepName, wholeNumber } from './format.ts';
import { type Rendered, statusIcon } from './parts.ts';
import { addedCounts, percent } from './shares.ts';

/** Steps over which a share is taken: of few calls it would jump. */
const stepsOfShare = 5;
const heights = { calls: 176, shares: 116 } as const;
const fromTop = ['valid', 'repaired', 'rejected', 'failed'] as const satisfies CallStatus[];

interface ChartProps {
  readonly numbers: CallNumbers;
  readonly hidden: ReadonlySet<CallStatus>;
}

export function CallsChart({ numbers, hidden }: ChartProps): Rendered {
  const box = useRef<HTMLDivElement>(null);
  const plots = useRef<readonly uPlot[]>([]);
  const [at, setAt] = useState<number>();
  const data = useMemo(() => chartData(numbers, hidden), [numbers, hidden]);
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const draw = (): void => {
      for (const plot of plots.current) plot.destroy();
      const marks = numbers.releases.slice(1);
      plots.current = [
        new uPlot(chartOptions(current, 'calls', marks, setAt), data.calls, current),
        new uPlot(chartOptions(current, 'shares', marks, setAt), data.shares, current),
      ];
    };
    draw();
    // Colours and sizes are drawn, not styled.
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    addEventListener('resize', draw);
    return () => {
      dark.removeEventListener('change', draw);
      removeEventListener('resize', draw);
      for (const plot of plots.current) plot.destroy();
      plots.current = [];
    };
  }, [data]);
  const { steps } = numbers;
  const shown = Math.min(at ?? steps.length - 1, steps.length - 1);
  const onKey = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    const next = Math.min(Math.max(shown + by, 0), steps.length - 1);
    if (by === 0) return;
    event.preventDefault();
    for (const plot of plots.current)
      plot.setCursor({ left: plot.valToPos(timeOf(next), 'x'), top: 1 }, false);
    setAt(next);
  };
  const timeOf = (index: number): number => (steps[index]?.at ?? 0) / 1_000;
  return html`
    <div
      class="chart"
      ref=${box}
      tabindex="0"
      role="group"
      aria-label="Calls over time; arrows move through the steps"
      onKeyDown=${onKey}
    ></div>
    <p class="read" id="chart-read" aria-live="polite">
      ${steps[shown] === undefined ? '' : html`<${StepText} step=${steps[shown]} numbers=${numbers} />`}
    </p>
  `;
}

function StepText({
  step,
  numbers,
}: {
  readonly step: CallNumbers['steps'][number];
  readonly numbers: CallNumbers;
}): Rendered {
  const calls = sumOf(step);
  return html`<span class="when">${stepName(step.at, numbers.stepMs)}</span>
    <b>${wholeNumber(calls)}</b> calls
    ${callStatuses.map(
      (status) =>
        html`<span class=${`st st-${status}`}
          >${statusIcon(status)}<span class="vh">${status} </span>${wholeNumber(step[status])}
          <small>${percent(step[status], calls)}%</small></span
        >`,
    )}`;
}

/** Each series has what is in it and below it: those that are drawn later cover it. */
function chartData(
  { steps }: CallNumbers,
  hidden: ReadonlySet<CallStatus>,
): { readonly calls: uPlot.AlignedData; readonly shares: uPlot.AlignedData } {
  const times = steps.map(({ at }) => at / 1_000);
  const stacked = (
    counts: readonly CallNumbers['steps'][number][],
    whole: (index: number) => number,
  ) =>
    fromTop.map((_status, first) =>
      counts.map((step, index) => {
        const part = fromTop
          .slice(first)
          .filter((status) => !hidden.has(status))
          .reduce((sum, status) => sum + step[status], 0);
        const all = whole(index);
        return all === 0 ? 0 : part / all;
      }),
    );
  const smooth = steps.map((step, index) => ({
    ...addedCounts(steps.slice(Math.max(0, index - stepsOfShare + 1), index + 1)),
    at: step.at,
  }));
  const [, ...shares] = stacked(smooth, (index) => {
    const counts = smooth[index];
    return counts === undefined ? 0 : sumOf(counts);
  });
  return { calls: [times, ...stacked(steps, () => 1)], shares: [times, ...shares] };
}

type Lane = keyof typeof heights;

function chartOptions(
  box: HTMLElement,
  lane: Lane,
  releases: CallNumbers['releases'],
  onStep: (index: number | undefined) => void,
): uPlot.Options {
  const style = getComputedStyle(box);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const axis = { stroke: colour('ink3'), font: '11px system-ui', ticks: { show: false } };
  const statuses = lane === 'calls' ? fromTop : fromTop.slice(1);
  return {
    width: box.clientWidth,
    height: heights[lane],
    padding: [lane === 'calls' ? 18 : 6, 4, lane === 'calls' ? 7 : 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: false, y: false },
      sync: { key: 'calls', setSeries: false },
    },
    scales: {
      x: { time: true },
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        show: lane === 'shares',
        size: 24,
        grid: { show: false },
        space: 64,
        incrs: (_plot, _axis, least, most) => axisSteps(most - least),
        values: (plot, times) => axisTimes(plot, times),
      },
      {
        ...axis,
        size: 46,
        space: 28,
        grid: { stroke: colour('line'), width: 1 },
        ...(lane === 'calls' ? { incrs: countSteps } : {}),
        values: (_plot, values) =>
          values.map((value) =>
            lane === 'calls' ? wholeNumber(value) : `${Number((value * 100).toFixed(2))}%`,
          ),
      },
    ],
    series: [
      {},
      ...statuses.map((status) => ({
        stroke: colour('surface'),
        width: 1,
        fill:
          status === 'failed'
            ? hatched(colour('f-failed'), colour('surface'))
            : colour(`f-${status}`),
        points: { show: false },
      })),
    ],
    hooks: {
      setCursor: [({ cursor }) => onStep(cursor.idx ?? undefined)],
      draw: [(plot) => drawReleases(plot, lane, releases, colour)],
    },
  };
}

const daySeconds = 86_400;

/** Seconds between two labels: a label that names a day stands for each day once. */
const axisSteps = (span: number): number[] =>
  span > 2 * daySeconds
    ? [1, 2, 7, 14, 30, 90].map((days) => days * daySeconds)
    : [60, 300, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, daySeconds];

/** Calls between two labels: there are no halves of calls. */
const countSteps: number[] = Array.from({ length: 12 }, (_none, power) => 10 ** power).flatMap(
  (unit) => [unit, 2 * unit, 5 * unit],
);

function axisTimes({ scales }: uPlot, times: readonly number[]): string[] {
  const { min = 0, max = 0 } = scales['x'] ?? {};
  const span = ((max ?? 0) - (min ?? 0)) * 1_000;
  return times.map((time) => axisTime(time * 1_000, span));
}

/** Nothing needs colour alone. */
function hatched(colour: string, ground: string): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = 6;
  tile.height = 6;
  const context = tile.getContext('2d');
  if (context === null) return colour;
  context.fillStyle = colour;
  context.fillRect(0, 0, 6, 6);
  context.strokeStyle = ground;
  context.globalAlpha = 0.55;
  context.lineWidth = 1.4;
  for (const from of [-6, 0, 6]) {
    context.beginPath();
    context.moveTo(from, 6);
    context.lineTo(from + 6, 0);
    context.stroke();
  }
  return context.createPattern(tile, 'repeat') ?? colour;
}

function drawReleases(
  plot: uPlot,
  lane: Lane,
  releases: CallNumbers['releases'],
  colour: (name: string) => string,
): void {
  const { ctx: context, bbox } = plot;
  const ratio = devicePixelRatio;
  context.save();
  for (const { release, first } of releases) {
    const left = Math.round(plot.valToPos(first / 1_000, 'x', true));
    if (left < bbox.left || left > bbox.left + bbox.width) continue;
    context.strokeStyle = colour('ink');
    context.setLineDash([3 * ratio, 2 * ratio]);
    context.beginPath();
    context.moveTo(left, bbox.top);
    context.lineTo(left, bbox.top + bbox.height);
    context.stroke();
    if (lane === 'shares') continue;
    context.font = `600 ${11 * ratio}px monospace`;
    const width = context.measureText(release).width + 10 * ratio;
    context.fillStyle = colour('pri');
    context.fillRect(left, bbox.top - 16 * ratio, width, 14 * ratio);
    context.fillStyle = colour('prit');
    context.textAlign = 'left';
    context.textBaseline = 'alphabetic';
    context.fillText(release, left + 5 * ratio, bbox.top - 5 * ratio);
  }
  context.restore();
}
