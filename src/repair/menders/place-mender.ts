// What does the engine do at one place? Keys first, then what is below, then the value itself; in rounds, top down.
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts';
import type { Inspector } from '../inspector.ts';
import { mendElements, mendMembers } from './contents-mender.ts';
import { KeyMender } from './key-mender.ts';
import { type Fixed, type Made, MadeEdits, nothingMade } from '../edits/made-edits.ts';
import type { ValueComplaint } from '../repair-rule.ts';
import { Misfits } from './misfits.ts';
import { mendSplit } from './split-mender.ts';
import { mendValue } from './value-mender.ts';
import { rootSpot, type Spot } from '../spot.ts';

interface Round {
  readonly value: JsonValue;
  readonly spot: Spot;
  readonly made: Made;
  /** Whether the places below are those that were sent, or another value's. */
  readonly below: 'sent' | 'made';
}

export class PlaceMender {
  readonly #inspector: Inspector;
  readonly #keys: KeyMender;
  readonly #misfits = new Misfits();

  constructor(inspector: Inspector) {
    this.#inspector = inspector;
    this.#keys = new KeyMender(inspector, (value, spot) => this.fix(value, spot).kind === 'fits');
  }

  /** The arguments as a whole. Where digits are lost they may fit all the same. */
  fixRoot(value: JsonValue): Fixed {
    const spot = rootSpot(this.#inspector.views.root);
    return this.#inspector.numbers.lossy ? this.fix(value, spot) : this.#fixMisfit(value, spot);
  }

  /** The same value if it fits, an edited one that fits, or the value as it was. */
  fix(value: JsonValue, spot: Spot): Fixed {
    const { rounds, tolerations } = this.#inspector;
    const known = this.#misfits.find(value, spot, tolerations);
    if (known !== undefined) return known;
    if (rounds === 0) return { kind: 'unfit', value, mended: [] };
    const fixed = this.#fixAnew(value, spot);
    if (fixed.kind === 'unfit') this.#misfits.keep(fixed, value, spot, this.#inspector.tolerations);
    return fixed;
  }

  /** The arguments without what stands around them as a whole; undefined if nothing does. */
  unwrap(value: JsonValue, spot: Spot): Round | undefined {
    return this.#mendValue({ value, spot, made: nothingMade, below: 'sent' }, 'root');
  }

  #fixAnew(value: JsonValue, spot: Spot): Fixed {
    return this.#inspector.fits(value, spot)
      ? { kind: 'fits', value, numberText: spot.numberText, records: [] }
      : this.#fixMisfit(value, spot);
  }

  #fixMisfit(value: JsonValue, spot: Spot): Fixed {
    const split = mendSplit(this.#inspector, value, spot, {
      fix: (below, at) => this.fix(below, at),
      unwrap: () => (spot.path === '' ? this.unwrap(value, spot)?.value : undefined),
    });
    if (split !== undefined) return split;
    let round: Round = { value, spot, made: nothingMade, below: 'sent' };
    for (let count = 0; count < this.#inspector.rounds; count += 1) {
      const next = this.#mend(round);
      if (next === undefined) break;
      round = next;
      const { value: mended, made } = round;
      const { numberText } = round.spot;
      if (this.#inspector.fits(mended, round.spot))
        return { kind: 'fits', value: mended, numberText, records: made.records };
    }
    return { kind: 'unfit', value, mended: round.below === 'sent' ? round.made.mended : [] };
  }

  /** One round at one place; undefined if nothing changes any more. */
  #mend(round: Round): Round | undefined {
    const { value, spot } = round;
    const unwrapped = spot.path === '' && isJsonObject(value) ? this.#mendValue(round, 'root') : undefined;
    if (unwrapped !== undefined) return unwrapped;
    const below = this.#mendContents(round);
    if (below !== undefined && (below.value !== value || this.#inspector.fits(value, spot))) return below;
    return this.#mendValue(below ?? round);
  }

  #mendContents(round: Round): Round | undefined {
    const { value, spot, made } = round;
    const { types } = this.#inspector.view(spot.schema);
    const edits = new MadeEdits(made);
    if (isJsonObject(value) && types.has('object')) return this.#mendObject(value, edits, round);
    if (isJsonArray(value) && types.has('array')) return this.#mendList(value, edits, round);
    return undefined;
  }

  #mendObject(value: JsonObject, made: MadeEdits, { spot, below }: Round): Round | undefined {
    const object = this.#keys.mend(value, made, spot);
    if (object === undefined) return undefined;
    const members = mendMembers(this.#inspector, object, { spot, made, fix: this.#fixBelow });
    return { value: members, spot, made, below };
  }

  #mendList(value: JsonArray, made: MadeEdits, { spot, below }: Round): Round {
    const elements = mendElements(this.#inspector, value, { spot, made, fix: this.#fixBelow });
    return { value: elements, spot, made, below };
  }

  readonly #fixBelow = (value: JsonValue, spot: Spot): Fixed => this.fix(value, spot);

  #mendValue({ value, made, spot }: Round, asked?: ValueComplaint): Round | undefined {
    const mended = mendValue(this.#inspector, value, spot, asked);
    if (mended === undefined) return undefined;
    const { records, ...after } = mended;
    return { ...after, made: { records: [...made.records, ...records], mended: [] }, below: 'made' };
  }
}
