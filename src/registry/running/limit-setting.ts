// Which limits does a registry bring to every call, and what does it keep for them?
import { Admission } from '../../execute/admission/admission.ts';
import { KeptResults } from '../../execute/results/kept-results.ts';
import { checkSetting } from '../registration/check-setting.ts';
import type { RegistryOptions } from '../registry-options.ts';
import type { CallSetting } from './call-options.ts';

type LimitSetting = Pick<CallSetting, 'timeLimit' | 'resultLimit' | 'results' | 'admission'>;

/** Throws a DefinitionError for options that are none. */
export function limitSetting(options: RegistryOptions): LimitSetting {
  const { timeLimit, resultLimit, concurrencyLimit = 8, queueLimit = 1000, meta = [] } = options;
  checkSetting({ timeLimit, resultLimit, concurrencyLimit, queueLimit, meta });
  const admission = new Admission({ concurrencyLimit, queueLimit });
  return { timeLimit, resultLimit, results: new KeptResults(), admission };
}
