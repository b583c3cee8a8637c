import { isJsonObject } from '../../json/value.ts';
import { type SchemaView, memberSchema } from '../../schema/schema-view.ts';
import { declaresKeys } from '../read-text.ts';
import { type ValueRule, refuse, replaceIfFits, skip } from '../repair-rule.ts';
import { keysWithToolName } from './drop-tool-name.ts';

/**
 * Models send the keys of the object that the only declared, or the only required, parameter takes,
 * directly at the root.
 * Becomes `{parameter: {…}}`, if it passes after repair.
 * Not when: any key that is declared at the root, or not declared inside; a name key that holds
 * this tool’s name (two readings: refused); the parameter takes something else than an object, too.
 */
export const wrapInParameter: ValueRule = {
  id: 'wrap_in_parameter',
  level: 'value',
  answers: ['root'],
  sentTypes: ['object'],
  keys: ['undeclared'],
  keeps: 'lossless',
  acceptsAlmostAnything: true,
  propose(context) {
    const { value, view } = context;
    const name = onlyParameter(view);
    if (name === undefined || !isJsonObject(value)) return skip;
    const keys = Object.keys(value);
    const schema = memberSchema(view, name);
    if (keys.length === 0 || context.typesOf(schema).size !== 1) return skip;
    const isInside =
      !keys.some((key) => view.properties.has(key)) && declaresKeys(context, schema, keys);
    // The tool's name belongs to the call as well.
    if (isInside && keysWithToolName(context, value).length > 0) return refuse;
    return isInside ? replaceIfFits({ [name]: value }) : skip;
  },
};

function onlyParameter({ properties, required }: SchemaView): string | undefined {
  const [only] = properties.size === 1 ? properties.keys() : required.size === 1 ? required : [];
  return only;
}
