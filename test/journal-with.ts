import type { Journal } from 'toolmend/journal';

/** The journal, with some of its methods replaced. */
export const journalWith = (journal: Journal, methods: Partial<Journal>): Journal =>
  new Proxy(journal, {
    get: (target, name) => {
      const own: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name, target);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
