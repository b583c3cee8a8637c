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
  const { id, name, arguments: callArguments } = partsOfCall(form, call);
  const at = [...path, ...form.arguments];
  const kind = kindOf(callArguments, form);
  const places: Place[] = [{ kind, path: at }];
  if (typeof name === 'string' && name !== '')
    places.push({ kind: 'name', path: [...path, ...form.name] });
  return {
    group,
    delta: {
      index,
      id: typeof id === 'string' ? id : undefined,
      name: typeof name === 'string' ? name : undefined,
      arguments: exactArguments(callArguments, slices, at),
    },
    places,
    identity,
    isMisshaped: kind === 'whole' || (kind === 'value' && typeof callArguments === 'string'),
  };
}

function kindOf(value: JsonValue | undefined, { argumentsAs }: CallForm): Place['kind'] {
  if (argumentsAs === 'value') return 'value';
  if (value === undefined || value === null) return 'absent';
  return typeof value === 'string' ? 'piece' : 'whole';
}

/** A value has the text of the event, which keeps the digits of numbers. */
function exactArguments(
  value: JsonValue | undefined,
  slices: JsonSlices,
  path: Place['path'],
): unknown {
  const isEmpty = isJsonObject(value) && Object.keys(value).length === 0;
  if (typeof value === 'string' || isEmpty) return value;
  return value === undefined || value === null ? undefined : (slices.at(path) ?? value);
}
