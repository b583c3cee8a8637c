import type { JsonSlices } from '../json/json-edits.ts';
import { type JsonValue, isJsonObject } from '../json/value.ts';
import { type CallForm, type PlacedCall, partsOfCall } from '../wire/wire-api.ts';
import type { CallPart, Place } from './protocol.ts';

/** Which call a part belongs to. */
interface PartOwner extends Pick<CallPart, 'group' | 'identity'> {
  readonly index: number | undefined;
}

/** What an object with a call, or with a part of one, says of it. */
export function callPart(
  { call, path, form }: PlacedCall,
  slices: JsonSlices,
  { group, index, identity }: PartOwner,
): CallPart {
  const { id, name, arguments: given } = partsOfCall(form, call);
  const at = [...path, ...form.arguments];
  const kind = kindOf(given, form);
  const places: Place[] = [{ kind, path: at }];
  if (typeof name === 'string' && name !== '')
    places.push({ kind: 'name', path: [...path, ...form.name] });
  return {
    group,
    delta: {
      index,
      id: typeof id === 'string' ? id : undefined,
      name: typeof name === 'string' ? name : undefined,
      arguments: exactArguments(given, slices, at),
    },
    places,
    identity,
    isMisshaped: kind === 'whole' || (kind === 'value' && typeof given === 'string'),
  };
}

function kindOf(given: JsonValue | undefined, { argumentsAs }: CallForm): Place['kind'] {
  if (argumentsAs === 'value') return 'value';
  if (given === undefined || given === null) return 'absent';
  return typeof given === 'string' ? 'piece' : 'whole';
}

/** A value has the text of the event, which keeps the digits of numbers. */
function exactArguments(
  given: JsonValue | undefined,
  slices: JsonSlices,
  path: Place['path'],
): unknown {
  const isEmpty = isJsonObject(given) && Object.keys(given).length === 0;
  if (typeof given === 'string' || isEmpty) return given;
  return given === undefined || given === null ? undefined : (slices.at(path) ?? given);
}
