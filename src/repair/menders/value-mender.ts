// What does the engine make of one value that doesn't fit? The first rule that knows its shape decides.
import type { JsonValue } from '../../json/json-value.ts';
import { complaintAbout } from '../complaints.ts';
import { recordReplacement } from '../edits/record-edit.ts';
import type { Inspector } from '../inspector.ts';
import type { RepairRecord } from '../repair-record.ts';
import type { ValueComplaint } from '../repair-rule.ts';
import { valueRulesFor } from '../rule-table.ts';
import type { Spot } from '../spot.ts';

export interface MendedValue {
  readonly value: JsonValue;
  readonly records: readonly RepairRecord[];
  /** The same place, with what is now known of the value there. */
  readonly spot: Spot;
}

/** undefined where no rule knows the shape, or the one that does refuses it. `asked`: what is wrong, if it's known. */
export function mendValue(
  inspector: Inspector,
  value: JsonValue,
  spot: Spot,
  asked?: ValueComplaint,
): MendedValue | undefined {
  const place = inspector.place(value, spot);
  // Verbatim text stays what it is, also where it is not what it should be.
  if (place.view.isVerbatim && typeof value === 'string' && place.types.has('string')) return undefined;
  for (const rule of valueRulesFor[asked ?? complaintAbout(place)]) {
    const proposal = rule.propose(place);
    if (proposal.kind === 'refused') return undefined;
    if (proposal.kind === 'silent') continue;
    const { schema, path } = spot;
    // What was around it is no place of the contract, so what is inside was not read yet.
    const made =
      asked === 'root' && proposal.kind === 'replace'
        ? inspector.inOwnForm(proposal.value, path)
        : proposal.value;
    const edited = { rule, schema, path, before: value, edit: made };
    const numberText = inspector.spellingAfter(value, spot, proposal.value);
    const decodings = spot.decodings + (proposal.kind === 'decode' ? 1 : 0);
    return {
      value: made,
      records: [recordReplacement(inspector.views, edited), ...inspector.repeatedKeys(proposal.value, spot)],
      spot: { ...spot, decodings, numberText },
    };
  }
  return undefined;
}
