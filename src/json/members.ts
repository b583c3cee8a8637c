// Reads members of JSON that a server or a client sent: anything may be missing or of another type.
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, isJsonArray, isJsonObject } from './value.ts';

export function textAt(object: JsonObject, key: string): string | undefined {
  const value = ownValue(object, key);
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(object: JsonObject, key: string): number | undefined {
  const value = ownValue(object, key);
  return typeof value === 'number' ? value : undefined;
}

export function objectAt(object: JsonObject, key: string): JsonObject | undefined {
  const value = ownValue(object, key);
  return isJsonObject(value) ? value : undefined;
}

const noObject: JsonObject = Object.freeze({});

/** The elements of an array at their indices; an element that is not an object is an empty one. */
export function arrayAt(object: JsonObject, key: string): readonly JsonObject[] {
  const value = ownValue(object, key);
  return isJsonArray(value) ? value.map((entry) => (isJsonObject(entry) ? entry : noObject)) : [];
}
