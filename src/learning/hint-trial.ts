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
export function judgedTrial(trial: Trial, hiddenArm: Arm, shownArm: Arm): Trial {
  if (trial.state === 'watched')
    return hiddenArm.calls < trial.look ? trial : watchTrial(trial, hiddenArm);
  if (trial.state !== 'trial' || shownArm.calls < trial.look) return trial;
  const control = {
    calls: hiddenArm.calls - trial.callsBefore,
    misses: hiddenArm.misses - trial.missesBefore,
  };
  const probability = probabilityBelow(shownArm, control, usefulShare);
  const [firstLook] = trialLooks;
  const nextLook = trialLooks.find((look) => look > trial.look);
  if (probability > proven && trial.look !== firstLook) return { ...trial, state: 'kept' };
  return probability < hopeless || nextLook === undefined
    ? { ...trial, state: 'dropped' }
    : { ...trial, look: nextLook };
}

function watchTrial(trial: Trial, hiddenArm: Arm): Trial {
  const [firstLook = 0] = trialLooks;
  if (wilsonInterval(hiddenArm, surely).least > missLine)
    return {
      state: 'trial',
      look: firstLook,
      callsBefore: hiddenArm.calls,
      missesBefore: hiddenArm.misses,
    };
  let { look } = trial;
  while (look <= hiddenArm.calls) look *= 2;
  return { ...trial, look };
}
