// Which number lies within a schema's bounds? Mostly a small one.
import type { SchemaObject } from '../../json/json-schema.ts';
import type { Random } from '../random.ts';

/** A number that meets the bounds and the step, if they leave room. */
export function sampleNumber(plain: SchemaObject, type: 'integer' | 'number', random: Random): number {
  const step = numberAt(plain, 'multipleOf') ?? (type === 'integer' ? 1 : 0.25);
  const low = lowest(plain, step);
  const high = highest(plain, step) ?? Math.max(low, 0) + 100 * step;
  const from = Math.ceil(low / step);
  const steps = Math.min(Math.floor(high / step) - from, 400);
  const number = (from + random.whole(0, Math.max(steps, 0))) * step;
  return type === 'number' && random.chance(0.5) ? nearestWhole(number, low, high) : number;
}

function lowest(plain: SchemaObject, step: number): number {
  const above = numberAt(plain, 'exclusiveMinimum');
  return Math.max(plain.minimum ?? 0, above === undefined ? -Infinity : above + step, -1_000_000);
}

function highest(plain: SchemaObject, step: number): number | undefined {
  const most = numberAt(plain, 'maximum');
  const below = numberAt(plain, 'exclusiveMaximum');
  return below === undefined ? most : Math.min(most ?? Infinity, below - step);
}

const nearestWhole = (number: number, low: number, high: number): number => {
  const whole = Math.round(number);
  return whole >= low && whole <= high ? whole : number;
};

function numberAt(plain: SchemaObject, keyword: string): number | undefined {
  const value = plain[keyword];
  return typeof value === 'number' ? value : undefined;
}
