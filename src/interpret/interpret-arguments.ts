import { type OptionKinds, boolean, checkOptions } from '../options/check-options.ts';
import type { JsonObject } from '../json/value.ts';
import { type ProviderName, argumentMapping, providerKind } from '../providers/providers.ts';
import type { FromSchema, ObjectSchema } from '../schema/from-schema-type.ts';
import type { OutputOf, StandardSchema } from '../schema/input-schema.ts';
import { standardMetaArguments, withMetaArguments } from '../tool/meta-arguments.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import {
  type ArgumentInput,
  type RepairOptions,
  interpretBySchema,
  repairOptionKinds,
} from './bare-schema.ts';
import { type InterpretationSettings, interpretSentCall, settingKinds } from './interpret.ts';
import type { Interpretation } from './interpretation.ts';
import { takeMeta } from './take-meta.ts';
import type { SentArguments } from './tool-call.ts';

/** The options of `interpret`. */
export interface InterpretOptions extends InterpretationSettings {
  /**
   * The provider whose schema the model has, as in `schemas(provider)`. Default: the tool's own
   * schema.
   */
  readonly provider?: ProviderName | undefined;
}

const interpretOptionKinds: OptionKinds<InterpretOptions> = {
  ...settingKinds,
  provider: providerKind,
};

/**
 * Interprets the arguments of one call. Never throws because of what a model sent.
 * Throws a DefinitionError for an unknown or ill-valued option.
 */
export function interpret(
  contract: ToolContract,
  call: SentArguments,
  options?: InterpretOptions,
): Interpretation {
  if (options !== undefined) checkOptions('interpret', options, interpretOptionKinds);
  const mapping = options?.provider && argumentMapping(contract, options.provider);
  return interpretSentCall(contract, call, options, { mapping, takeMeta });
}

/** The options of `interpretArguments`. */
export interface ArgumentOptions extends RepairOptions {
  /** Switches the standard meta arguments on. Default: off. */
  readonly meta?: boolean;
  /**
   * The provider whose schema the model has, as in `schemas(provider)`. Default: the tool's own
   * schema.
   */
  readonly provider?: ProviderName | undefined;
}

const argumentOptionKinds: OptionKinds<ArgumentOptions> = {
  meta: boolean,
  provider: providerKind,
  ...repairOptionKinds,
};

const withStandardMeta = (contract: ToolContract): ToolContract =>
  withMetaArguments(contract, standardMetaArguments);

/**
 * Interprets one call's arguments by a bare JSON Schema, or by a Standard Schema, whose output is
 * the value. A schema object, and the object of the option `tool`, is compiled once
 * and cached by identity: to change it, pass a copy. Throws a
 * DefinitionError for an unknown or ill-valued option, for anything but the schema of an object,
 * for a Standard Schema that validates asynchronously, and, with `onUnusableSchema: 'refuse'`, for
 * a schema that can't be used for validation.
 */
export function interpretArguments<Schema extends StandardSchema>(
  schema: Schema,
  input: ArgumentInput,
  options?: ArgumentOptions,
): Interpretation<OutputOf<Schema>>;
export function interpretArguments<const Schema extends ObjectSchema>(
  schema: Schema,
  input: ArgumentInput,
  options?: ArgumentOptions,
): Interpretation<FromSchema<Schema>>;
export function interpretArguments<Value extends object = JsonObject>(
  schema: object,
  input: ArgumentInput,
  options?: ArgumentOptions,
): Interpretation<Value>;
export function interpretArguments(
  schema: object,
  input: ArgumentInput,
  options?: ArgumentOptions,
): Interpretation<unknown> {
  if (options !== undefined) checkOptions('interpretArguments', options, argumentOptionKinds);
  const { provider, meta } = options ?? {};
  return interpretBySchema(schema, input, options, {
    withMeta: meta === true ? withStandardMeta : undefined,
    takeMeta,
    mappingOf: (contract) =>
      provider === undefined ? undefined : argumentMapping(contract, provider),
  });
}
