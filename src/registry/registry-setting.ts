// What did a program say of its registry? Copied, checked, and with its defaults.
import type { MetaArgument } from '../contract/tool-contract.ts';
import { CallInstances } from '../execute/call-instances.ts';
import { approvalSetting } from './approve/approval-setting.ts';
import type { DeskSetting } from './call-desk.ts';
import type { RegistryOptions } from './registry-options.ts';
import { checkRegistryOptions } from './registration/option-kinds.ts';
import { limitSetting } from './running/limit-setting.ts';
import { contextValues } from './running/merge-context.ts';
import { hintOptions, type ShownSetting } from './show-tools.ts';
import { TrustedDefinitions } from './trusted-definitions.ts';

/** The options as a registry uses them. */
export interface RegistrySetting extends DeskSetting, ShownSetting {
  readonly meta: readonly MetaArgument[];
  readonly judge: RegistryOptions['judge'];
  readonly instancesMadeBy: 'application' | 'default';
}

export function readSetting(options: RegistryOptions): RegistrySetting {
  checkRegistryOptions(options);
  const { create, invoke, context, judge, pins, approval, listeners = [], meta = [] } = options;
  return {
    ...limitSetting(options),
    instances: new CallInstances(create, invoke),
    instancesMadeBy: create === undefined ? 'default' : 'application',
    context: contextValues(context),
    listeners: [...listeners],
    interceptors: [...(options.interceptors ?? [])],
    telemetry: options.telemetry,
    approval: approval === undefined ? undefined : approvalSetting(approval),
    meta: [...meta],
    judge,
    hints: hintOptions(options.hints),
    trusted: new TrustedDefinitions(pins),
  };
}
