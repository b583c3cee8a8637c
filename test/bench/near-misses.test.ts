import { defineTool, interpret } from 'toolmend';
import { type NearMiss, textNearMisses, valueNearMisses } from '../../bench/near-misses.ts';

const note = { name: 'note', description: 'A note.', execute: () => 'done' };

// `npm run bench` ends with an error if one of them is refused, or repaired in another way.
it.each([...textNearMisses, ...valueNearMisses])(
  'the near-miss of $rule is repaired by this rule alone',
  ({ rule, schema, text, repaired, tool, finishReason }: NearMiss) => {
    const contract = defineTool({ ...note, inputSchema: schema, ...tool });
    const call = { arguments: text, ...(finishReason === undefined ? {} : { finishReason }) };
    const result = interpret(contract, call);
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({
      status: 'repaired',
      value: repaired,
    });
    expect(new Set(result.repairs.map((repair) => repair.rule))).toEqual(new Set([rule]));
  },
);
