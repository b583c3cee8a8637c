// What becomes of a type list, an enum and a constant? A provider may take one type a schema, texts only, no constant.
import type { SchemaObject } from '../../json/json-schema.ts';
import type { JsonType, JsonValue } from '../../json/json-value.ts';
import { isPrimitive } from '../dialect-rules.ts';
import { keywordWords } from '../normal-form/keyword-words.ts';
import { divided, impliedType, typesOf } from '../normal-form/schema-kinds.ts';
import type { Lowering } from './lowering.ts';

/** Types of which each needs a schema of its own; null goes with any of them. */
export function typesApart(types: readonly JsonType[], { rules }: Lowering): readonly JsonType[] {
  const apart = types.filter((type) => type !== 'null');
  const hasContainer = apart.some((type) => type === 'object' || type === 'array');
  const mustSplit = rules.types !== 'lists' || (hasContainer && rules.objects !== 'declared');
  return mustSplit && apart.length > 1 ? types : [];
}

export function byType(
  schema: SchemaObject,
  types: readonly JsonType[],
): [readonly SchemaObject[], SchemaObject] {
  const { described, asserted } = divided(schema);
  const branches = types.map((type): SchemaObject => {
    const { enum: members, ...rest } = asserted;
    const own = members?.filter((member) => typesOf({ const: member })?.includes(type) === true);
    const kept = Object.entries(rest).filter(([keyword]) => {
      const about = impliedType({ [keyword]: true });
      return about === undefined || about === type || (about === 'number' && type === 'integer');
    });
    return { ...Object.fromEntries(kept), type, ...(own === undefined ? {} : { enum: own }) };
  });
  return [branches.filter((branch) => branch.enum?.length !== 0), described];
}

/** The members that a schema lists, of which some are objects or lists and a provider takes no such ones. */
export function membersApart(
  { enum: listed, const: constant }: SchemaObject,
  { rules }: Lowering,
): readonly JsonValue[] | undefined {
  const members = constant === undefined ? listed : [constant];
  const isApart = rules.anything === 'json-text' && members?.some((member) => !isPrimitive(member)) === true;
  return isApart ? members : undefined;
}

/** The type as the provider writes it. Null is OpenAPI's `nullable` where a provider has no type for it. */
export function lowerTypes(
  { type }: SchemaObject,
  types: readonly JsonType[] | undefined,
  { enum: members }: SchemaObject,
  { rules }: Lowering,
): SchemaObject {
  if (types === undefined) return {};
  if (type === undefined && rules.keeps('oneOf', [])) return {};
  const apart = types.filter((said) => said !== 'null');
  const isNullable = rules.types === 'nullable' && apart.length < types.length;
  const shown = isNullable ? apart : types;
  const [only, ...others] = shown;
  const isNull = members?.length === 0;
  return {
    ...(only === undefined
      ? { type: isNull ? 'null' : 'string' }
      : { type: others.length === 0 ? only : shown }),
    ...(isNullable ? { nullable: true } : {}),
  };
}

interface MemberParts {
  readonly schema: SchemaObject;
  readonly words: readonly string[];
}

/** `enum` and `const`. A provider may take texts only, or no constant. */
export function lowerMembers(
  { enum: listed, const: constant }: SchemaObject,
  { rules }: Lowering,
): MemberParts {
  const isConstant = constant !== undefined;
  if (isConstant && rules.keeps('const', constant)) return { schema: { const: constant }, words: [] };
  const members: readonly JsonValue[] | undefined = isConstant ? [constant] : listed;
  if (members === undefined) return { schema: {}, words: [] };
  const texts = members.filter((member) => member !== null);
  if (rules.members === 'texts' && !texts.every((member) => typeof member === 'string'))
    return { schema: {}, words: [keywordWords('enum', members) ?? ''] };
  const shown = rules.members === 'texts' ? texts : members;
  return shown.length === 0 ? { schema: {}, words: [] } : { schema: { enum: shown }, words: [] };
}
