// The address says what is shown: the view, the call, the time and the filter.
import { useEffect, useState } from 'preact/hooks';
import { filterIn } from '../src/page/call-filter.ts';
import { type CallFilter, filterKeys } from '../src/page/page-data.ts';

export const views = ['overview', 'calls', 'decide', 'try', 'alarms'] as const;

export type View = (typeof views)[number];

export const ranges = ['1h', '24h', '7d', '30d', '90d', 'all'] as const;

export type Range = (typeof ranges)[number];

export const rangeNames: Readonly<Record<Range, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  all: 'All time',
};

const hour = 3_600_000;
const lengths: Readonly<Record<Range, number | undefined>> = {
  '1h': hour,
  '24h': 24 * hour,
  '7d': 7 * 24 * hour,
  '30d': 30 * 24 * hour,
  '90d': 90 * 24 * hour,
  all: undefined,
};

/** When a range begins; undefined: it has no beginning. */
export function sinceOf(range: Range, now: number): number | undefined {
  const length = lengths[range];
  return length === undefined ? undefined : now - length;
}

export interface Route {
  readonly view: View;
  /** The call that is shown. */
  readonly id?: string;
  /** Absent: the address doesn't say. */
  readonly range?: Range;
  readonly filter: CallFilter;
}

/** That of the address as it is now; the views follow a moment later. */
export function currentRoute(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [name, id] = path.split('/');
  const parameters = new URLSearchParams(query);
  const range = ranges.find((one) => one === parameters.get('range'));
  return {
    view: views.find((one) => one === name) ?? 'overview',
    filter: filterIn(parameters),
    ...(id === undefined || id === '' ? {} : { id: decodedId(id) }),
    ...(range === undefined ? {} : { range }),
  };
}

/** An id that nobody has encoded stays as it is: no call has it. */
function decodedId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function addressOf({ view, id, range, filter }: Route): string {
  const parameters = new URLSearchParams(range === undefined ? {} : { range });
  for (const key of filterKeys) {
    const value = filter[key];
    if (value !== undefined) parameters.set(key, value);
  }
  const query = parameters.toString();
  const place = id === undefined ? view : `${view}/${encodeURIComponent(id)}`;
  return `#/${place}${query === '' ? '' : `?${query}`}`;
}

export const go = (route: Route): void => {
  location.hash = addressOf(route);
};

/** Without a step for the browser's Back. */
export const goInstead = (route: Route): void => {
  location.replace(addressOf(route));
};

/** The usual range is shown in place of one that isn't offered, so the address doesn't name that one. */
function leaveOutUnknownRange(): void {
  const route = currentRoute();
  if (route.range === undefined && /[?&]range=/.test(location.hash)) goInstead(route);
}

export function useRoute(): Route {
  const [route, setRoute] = useState(currentRoute);
  useEffect(() => {
    const onChange = (): void => {
      leaveOutUnknownRange();
      setRoute(currentRoute());
    };
    leaveOutUnknownRange();
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return route;
}
