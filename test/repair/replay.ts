// What do the operations of records make of a value? JSON Patch (RFC 6902), written apart from the
// engine: what no operation touches is shared with the value as sent.
import type { Operation, RepairRecord } from 'toolmend';

/**
 * The value after every operation of every record, in order; the value as sent is not written to.
 */
export const replayed = (sent: unknown, records: readonly RepairRecord[]): unknown =>
  records.flatMap(({ operations }) => operations).reduce(applied, sent);

function applied(root: unknown, operation: Operation): unknown {
  if (operation.op === 'remove') return without(root, keysOf(operation.path));
  if (operation.op === 'replace') valueAt(root, keysOf(operation.path));
  if (operation.op !== 'move') return withValue(root, keysOf(operation.path), operation.value);
  const from = keysOf(operation.from);
  return withValue(without(root, from), keysOf(operation.path), valueAt(root, from));
}

/** What the first operation of a record takes away or replaces. */
export function removedBy({ operations: [operation] }: RepairRecord, sent: unknown): unknown {
  return operation?.op === 'add'
    ? undefined
    : valueAt(sent, keysOf(operation?.op === 'move' ? operation.from : (operation?.path ?? '')));
}

function keysOf(path: string): readonly string[] {
  const keys = path.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.slice(1);
}

function member(container: unknown, key: string): unknown {
  if (typeof container !== 'object' || container === null || !Object.hasOwn(container, key)) {
    throw new Error(`nothing stands under ${key}`);
  }
  return Reflect.get(container, key);
}

const valueAt = (root: unknown, keys: readonly string[]): unknown => keys.reduce(member, root);

function withValue(node: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const below = rest.length === 0 ? value : withValue(member(node, key), rest, value);
  if (Array.isArray(node)) return node.with(Number(key), below);
  if (typeof node !== 'object' || node === null) throw new Error(`no container holds ${key}`);
  const copy = { ...node };
  Object.defineProperty(copy, key, {
    value: below,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  return copy;
}

function without(node: unknown, [key = '', ...rest]: readonly string[]): unknown {
  const below = member(node, key);
  if (rest.length > 0) return withValue(node, [key], without(below, rest));
  if (Array.isArray(node)) return node.toSpliced(Number(key), 1);
  return Object.fromEntries(Object.entries(Object(node)).filter(([name]) => name !== key));
}
