// What do the operations of records make of a value? JSON Patch (RFC 6902) applied to a copy, written apart from the engine.
import type { Operation, RepairRecord } from 'toolmend';

/** The value after every operation of every record, in order; the value as sent is not written to. */
export function replayed(sent: unknown, records: readonly RepairRecord[]): unknown {
  const holder: { root: unknown } = { root: structuredClone(sent) };
  for (const operation of records.flatMap(({ operations }) => operations)) apply(holder, operation);
  return holder.root;
}

function apply(holder: { root: unknown }, operation: Operation): void {
  if (operation.op === 'move') {
    const moved = take(holder, operation.from);
    put(holder, operation.path, moved);
  } else if (operation.op === 'remove') take(holder, operation.path);
  else put(holder, operation.path, structuredClone(operation.value));
}

function put(holder: { root: unknown }, path: string, value: unknown): void {
  if (path === '') {
    holder.root = value;
    return;
  }
  const { container, key } = locate(holder, path);
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}

function take(holder: { root: unknown }, path: string): unknown {
  const { container, key } = locate(holder, path);
  if (!Object.hasOwn(container, key)) throw new Error(`nothing stands at ${path}`);
  const value: unknown = Reflect.get(container, key);
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else Reflect.deleteProperty(container, key);
  return value;
}

function locate(holder: { root: unknown }, path: string): { container: object; key: string } {
  const keys = path
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = keys.pop() ?? '';
  let container: unknown = holder.root;
  for (const step of keys) {
    if (typeof container !== 'object' || container === null || !Object.hasOwn(container, step)) {
      throw new Error(`nothing stands on the way to ${path}`);
    }
    container = Reflect.get(container, step);
  }
  if (typeof container !== 'object' || container === null) throw new Error(`no container holds ${path}`);
  return { container, key };
}
