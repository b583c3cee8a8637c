// What may a model see of a tool? Its name, what is said of it, and its schema without our annotations.
import { withoutAnnotations } from '../contract/without-annotations.ts';
import { withMeta } from '../contract/meta/meta-schema.ts';
import type { ToolContract } from '../contract/tool-contract.ts';
import { freezeDeep } from '../json/freeze-deep.ts';
import type { SchemaObject } from '../json/json-schema.ts';
import { onceEach } from './once-each.ts';

/** A tool as every provider's form is made from it. Frozen to the bottom; the same bytes every time. */
export interface ShownTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: SchemaObject;
}

/** A contract, and the description that a model reads. */
export interface DescribedTool {
  readonly contract: ToolContract;
  readonly description: string;
}

/** The same object for the same described tool. */
export const shownTool = onceEach(({ contract, description }: DescribedTool): ShownTool =>
  freezeDeep({ name: contract.name, description, inputSchema: shownSchema(contract) }),
);

/** The input schema without our annotations, with the meta arguments that are switched on. */
export const shownSchema = ({ inputSchema, meta }: ToolContract): SchemaObject =>
  withoutAnnotations(withMeta(inputSchema, meta));
