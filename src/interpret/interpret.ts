import { type OptionKinds, checkOptions } from '../errors/check-options.ts';
import { type ProviderName, argumentMapping, providerKind } from '../providers/providers.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { type InterpretationSettings, interpretSentCall, settingKinds } from './interpret-sent.ts';
import type { Interpretation } from './interpretation.ts';
import type { SentArguments } from './tool-call.ts';

/** The options of `interpret`. */
export interface InterpretOptions extends InterpretationSettings {
  /** The provider whose schema the model has, as in `schemas(provider)`. Default: the tool's own schema. */
  readonly provider?: ProviderName | undefined;
}

const interpretOptionKinds: OptionKinds<InterpretOptions> = { ...settingKinds, provider: providerKind };

/**
 * Interprets the arguments of one call; all calls are interpreted here. Never throws because of what a model sent.
 * Throws a DefinitionError for an unknown or ill-valued option.
 */
export function interpret(
  contract: ToolContract,
  call: SentArguments,
  options?: InterpretOptions,
): Interpretation {
  if (options !== undefined) checkOptions('interpret', options, interpretOptionKinds);
  return interpretChecked(contract, call, options);
}

/** Takes options that were checked. */
export function interpretChecked(
  contract: ToolContract,
  call: SentArguments,
  options?: InterpretOptions,
): Interpretation {
  const provider = options?.provider;
  const mapping = provider === undefined ? undefined : argumentMapping(contract, provider);
  return interpretSentCall(contract, call, options, mapping);
}
