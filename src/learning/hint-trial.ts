// When a learned hint is shown, and when it goes again: pure functions of counts.
import type { Trial } from '../store/hint-counts.ts';
import { type Arm, probabilityBelow, wilsonInterval } from './intervals.ts';

/** A hint is shown if the model surely misses more often than this. */
export const missLine = 0.03;
/** 99 percent, because many places are looked at many times. */
export const surely = 2.58;

/** A hint that helps takes away at least a fifth of the misses. */
const usefulShare = 0.8;
const proven = 0.9;
/** Below it, more calls will hardly prove anything. */
const hopeless = 0.1;

/**
 * Calls with the hint after which its trial is looked at. At the first look, a hint can only go: so
 * few calls without it, a quarter as many, would drop two of five hints that help. The last look
 * decides.
 */
const trialLooks: readonly number[] = [400, 1_000, 2_000];

/**
 * The decision after the calls so far: the same object if there is nothing to look at yet. `hidden`:
 * all calls without the hint, those before the trial included. `shown`: calls with it.
 */
export function judgedTrial(trial: Trial, hidden: Arm, shown: Arm): Trial {
  if (trial.state === 'watched') return hidden.calls < trial.look ? trial : watched(trial, hidden);
  if (trial.state !== 'trial' || shown.calls < trial.look) return trial;
  const control = {
    calls: hidden.calls - trial.callsBefore,
    misses: hidden.misses - trial.missesBefore,
  };
  const probability = probabilityBelow(shown, control, usefulShare);
  const [firstLook] = trialLooks;
  const nextLook = trialLooks.find((look) => look > trial.look);
  if (probability > proven && trial.look !== firstLook) return { ...trial, state: 'kept' };
  return probability < hopeless || nextLook === undefined
    ? { ...trial, state: 'dropped' }
    : { ...trial, look: nextLook };
}

function watched(trial: Trial, hidden: Arm): Trial {
  const [firstLook = 0] = trialLooks;
  if (wilsonInterval(hidden, surely).least > missLine)
    return {
      state: 'trial',
      look: firstLook,
      callsBefore: hidden.calls,
      missesBefore: hidden.misses,
    };
  let { look } = trial;
  while (look <= hidden.calls) look *= 2;
  return { ...trial, look };
}
