// How do interpreted arguments become fields of instances? Everything is written as own data, nothing undeclared,
// and always a copy: what one call does to its arguments shows nowhere else.
import { ToolmendError } from '../../errors/toolmend-error.ts';
import { copyJson } from '../../json/copy-json.ts';
import {
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts';
import { objectOf, ownValue } from '../../json/own-key.ts';
import type { ArgumentClass } from '../../metadata/declared-type.ts';
import type { ArgumentType } from '../argument-types/argument-type.ts';
import type { ClassModel, ClassModels } from '../class-model/class-model.ts';
import { discriminatorValues } from '../class-model/discriminator.ts';
import type { ApplicationContext } from '../tool-contract.ts';

/** What writing needs beside the values. */
export interface Writing {
  readonly models: ClassModels;
  /** `unknown`: nothing is executed, so its values don't matter. */
  readonly context: ApplicationContext | 'unknown';
  /** Makes the object for a nested class. */
  make(Class: ArgumentClass): object;
}

/** Writes arguments, defaults of what is absent, and the application's values, in this order. */
export function writeFields(target: object, model: ClassModel, values: JsonObject, writing: Writing): void {
  for (const { name, type, facts } of model.fields) {
    const sent = Object.hasOwn(values, name) ? values[name] : facts.default;
    if (sent !== undefined) defineField(target, name, instanceOf(type, sent, writing));
  }
  for (const { name, key } of model.contextFields) {
    defineField(target, name, contextValue(writing.context, key, `${model.name}.${name}`));
  }
}

/** A tool must not run without what keeps it to one tenant or one user. */
function contextValue(context: Writing['context'], key: string, where: string): unknown {
  if (context === 'unknown') return undefined;
  if (Object.hasOwn(context, key)) return context[key];
  throw new ToolmendError(
    'missing-context',
    `${where} comes from the context value ${key}, which neither the registry nor the call gives: ` +
      `pass context: { ${key}: … }, with undefined if it may be missing`,
  );
}

// Never an assignment: a setter of the class, or of Object itself, would take the value.
const defineField = (target: object, name: string, value: unknown): void => {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
};

/** The value as the class declares it: nested instances made, dates read, the rest copied. */
function instanceOf(type: ArgumentType, value: JsonValue, writing: Writing): unknown {
  const inside = (part: ArgumentType, of: JsonValue): unknown => instanceOf(part, of, writing);
  switch (type.kind) {
    case 'date':
      return typeof value === 'string' ? new Date(value) : value;
    case 'class':
      return nestedInstance(type.Class, value, writing);
    case 'oneOf':
      return nestedInstance(memberFor(type, value, writing.models), value, writing);
    case 'array':
      return isJsonArray(value) ? value.map((item) => inside(type.items, item)) : copyJson(value);
    case 'tuple':
      return isJsonArray(value)
        ? value.map((item, place) => inside(type.items[place] ?? anything, item))
        : value;
    case 'record':
      return isJsonObject(value)
        ? objectOf(Object.entries(value).map(([key, member]) => [key, inside(type.values, member)] as const))
        : copyJson(value);
    case 'nullable':
      return value === null ? null : inside(type.type, value);
    case 'union':
      return inside(type.members.find((member) => isShapedLike(member, value)) ?? anything, value);
    default:
      return copyJson(value);
  }
}

const anything: ArgumentType = { kind: 'object' };

function nestedInstance(Class: ArgumentClass | undefined, value: JsonValue, writing: Writing): unknown {
  const model = Class === undefined ? undefined : writing.models.get(Class);
  if (model === undefined || !isJsonObject(value)) return copyJson(value);
  const instance = writing.make(model.Class);
  writeFields(instance, model, value, writing);
  return instance;
}

function memberFor(
  { Classes, discriminator }: Extract<ArgumentType, { readonly kind: 'oneOf' }>,
  value: JsonValue,
  models: ClassModels,
): ArgumentClass | undefined {
  const named = isJsonObject(value) ? ownValue(value, discriminator) : undefined;
  return Classes.find((Class) =>
    discriminatorValues(models.get(Class), discriminator).some((known) => known === named),
  );
}

/** Members of a union differ by JSON type, so the type of the value tells which one it is. */
function isShapedLike(member: ArgumentType, value: JsonValue): boolean {
  const type = jsonTypeOf(value);
  if (member.kind === 'date') return type === 'string';
  if (member.kind === 'array' || member.kind === 'tuple') return type === 'array';
  return type === 'object' && ['class', 'oneOf', 'record', 'object'].includes(member.kind);
}
