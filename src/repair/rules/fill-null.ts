import type { JsonSchema } from '../../schema/json-schema.ts';
import { isMap } from '../../validate/strict-checks.ts';
import { type KeyEdit, type ObjectRule, type RuleContext, keyEdits } from '../repair-rule.ts';
import { mayBeSent } from './fill-default.ts';

/**
 * Models send nothing for a required key that may be null, and has no default, in an object that
 * requires all its keys.
 * Becomes null; the model gets a note.
 * Not when: the key takes something else than a number or a boolean, unless `effects` is `read`; no
 * key was sent, or an undeclared one; a description speaks of clearing, removing, unsetting,
 * deleting or resetting; another key is renamed, moved or left out; a destructive tool.
 */
export const fillNull: ObjectRule = {
  id: 'fill_null',
  level: 'object',
  answers: ['missing'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  notes: true,
  // A default that is declared is as certain as the null.
  notBeside: keyEdits.filter((rule) => rule !== 'fill_default'),
  propose(context) {
    const { value, view } = context;
    const keys = Object.keys(value);
    const isComplete = [...view.properties.keys()].every((key) => view.required.has(key));
    const isKnown = keys.every((key) => view.properties.has(key));
    if (!isComplete || !isKnown || keys.length === 0 || isMap(view)) return [];
    return [...view.properties].flatMap(([key, schema]): readonly KeyEdit[] =>
      Object.hasOwn(value, key) || !meansNull(context, schema) || mayBeSent(context, key)
        ? []
        : [{ op: 'set', key, value: null }],
    );
  },
};

const plainTypes: ReadonlySet<string> = new Set(['null', 'number', 'integer', 'boolean']);

/** Whether null says that nothing was meant, and not that something is to go. */
function meansNull(context: RuleContext, schema: JsonSchema): boolean {
  const { mergedSchema, defaultValue, isVerbatim } = context.viewOf(schema);
  const types = context.typesOf(schema);
  const isPlain = [...types].every((type) => plainTypes.has(type));
  if (types.size < 2 || (!isPlain && context.contract.effects !== 'read')) return false;
  if (isVerbatim || defaultValue !== undefined || !context.accepts(schema, null)) return false;
  const documentation = [
    mergedSchema.title,
    mergedSchema.description,
    context.view.mergedSchema.description,
  ].join(' ');
  return !/\b(?:clear|remov|unset|delet|reset|eras)/i.test(documentation);
}
