// Between which two JavaScript numbers does a literal lie that none of them equals?
import { longestLiteral } from './exact-number.ts';

/** `alike`: a number that is a fraction as the literal is, where its neighbours are whole ones; else the low one. */
export type DoublesAround = readonly [low: number, high: number, alike: number];

/**
 * The neighbours of a literal (JSON's grammar); the same number twice where no larger one is left. undefined for what
 * is too long to be meant as a number.
 */
export function doublesAround(literal: string): DoublesAround | undefined {
  if (literal.length > longestLiteral) return undefined;
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(literal);
  if (parts === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const around = positiveAround({
    digits: whole + fraction,
    power: boundedExponent(exponent) - fraction.length,
  });
  const [low, high, alike] = around;
  return sign === '' ? around : [-high, 0 - low, -alike];
}

// Far beyond what a double can hold in either direction, and small enough to be written without an exponent of its own.
const boundedExponent = (exponent: string): number => Math.min(Math.max(Number(exponent), -10_000), 10_000);

interface Decimal {
  readonly digits: string;
  /** The power of ten of the last digit. */
  readonly power: number;
}

function positiveAround(decimal: Decimal): DoublesAround {
  const [low, high] = neighbours(decimal);
  return [low, high, low >= 2 ** 52 && !isWhole(decimal) ? largestFraction : low];
}

function neighbours(decimal: Decimal): readonly [number, number] {
  const nearest = Number(`${decimal.digits}e${decimal.power}`);
  if (!Number.isFinite(nearest)) return [Number.MAX_VALUE, Number.MAX_VALUE];
  if (nearest === 0) return [0, Number.MIN_VALUE];
  const difference = compare(decimal, nearest);
  if (difference === 0) return [nearest, nearest];
  return difference < 0 ? [neighbour(nearest, -1n), nearest] : [nearest, neighbour(nearest, 1n)];
}

const largestFraction = 2 ** 52 - 0.5;

const isWhole = ({ digits, power }: Decimal): boolean =>
  power >= 0 || (power >= -digits.length && /^0*$/.test(digits.slice(power)));

/** Below 0 if the decimal is the smaller one. Both are fractions of whole numbers, so nothing is rounded. */
function compare({ digits, power }: Decimal, double: number): number {
  let numerator = double;
  let halvings = 0n;
  // Doubling is exact, and a double has no more than 1074 binary places.
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    halvings += 1n;
  }
  const left = BigInt(digits) * 10n ** BigInt(Math.max(power, 0)) * 2n ** halvings;
  const right = BigInt(numerator) * 10n ** BigInt(Math.max(-power, 0));
  return left === right ? 0 : left < right ? -1 : 1;
}

/** The next double up or down from a positive one: their bits count as whole numbers do. */
function neighbour(double: number, step: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, double);
  view.setBigUint64(0, view.getBigUint64(0) + step);
  const next = view.getFloat64(0);
  return Number.isFinite(next) ? next : Number.MAX_VALUE;
}
