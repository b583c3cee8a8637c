// What is counted of calls? How long they take, what was repaired and what was wrong, by tool and model.
import type { Attributes, Meter } from '@opentelemetry/api';
import type { ObservedCall, ObservedEnd } from '../call-telemetry.ts';
import { unknownTool } from './call-attributes.ts';

interface Measured {
  readonly seconds: number;
  readonly agentName: string | undefined;
}

export interface CallMetrics {
  record(call: ObservedCall, end: ObservedEnd, measured: Measured): void;
}

/** Seconds; a tool takes between a millisecond and minutes. */
const bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** The instruments of one meter. */
export function callMetrics(meter: Meter): CallMetrics {
  const duration = meter.createHistogram('gen_ai.execute_tool.duration', {
    description: 'How long calls of tools take, their interpretation included.',
    unit: 's',
    advice: { explicitBucketBoundaries: bounds },
  });
  const repairs = meter.createCounter('toolmend.repairs', {
    description: 'Calls in which a rule repaired at least one place.',
    unit: '{call}',
  });
  const rejections = meter.createCounter('toolmend.rejections', {
    description: 'Rejected calls, by what was wrong; a call with two kinds of mistakes counts for both.',
    unit: '{call}',
  });
  return {
    record({ tool = unknownTool, model }, { errorType, rules, keywords }, { seconds, agentName }) {
      const timed: Attributes = { 'gen_ai.tool.name': tool, 'gen_ai.tool.type': 'function' };
      if (agentName !== undefined) timed['gen_ai.agent.name'] = agentName;
      if (errorType !== undefined) timed['error.type'] = errorType;
      duration.record(seconds, timed);
      if (rules.length === 0 && keywords.length === 0) return;
      const named = { 'gen_ai.tool.name': tool };
      const sender = model === undefined ? named : { ...named, 'gen_ai.request.model': model };
      for (const rule of new Set(rules)) repairs.add(1, { ...sender, 'toolmend.repair.rule': rule });
      for (const keyword of keywords) rejections.add(1, { ...sender, 'toolmend.rejection.keyword': keyword });
    },
  };
}
