// Tests a tool against imprecise models, without a model.
import assert from 'node:assert/strict';
import { IsInt, IsOptional } from 'class-validator';
import { ArrayOf, Tool, ToolRegistry } from 'toolmend';
import { brokenCalls, playScript, ScriptedModel, validCalls } from 'toolmend/testing';

@Tool({ description: 'Find notes.', effects: 'read' })
class FindNotes {
  @ArrayOf(String)
  words!: string[];

  @IsOptional()
  @IsInt()
  limit?: number;

  execute(): string {
    return `${this.words.length} words`;
  }
}

const tools = new ToolRegistry().register(FindNotes);

// #region calls
for (const call of validCalls(FindNotes, { seed: 7, count: 50 })) {
  const outcome = await tools.call(call);
  assert(outcome.status === 'completed' && outcome.interpretation.repairs.length === 0);
}
for (const { call, meant } of brokenCalls(FindNotes, { seed: 7, count: 50 })) {
  const outcome = await tools.call(call);
  assert(outcome.status === 'completed');
  assert.deepEqual(outcome.interpretation.value, meant);
}
// #endregion

// #region script
const model = new ScriptedModel([
  { calls: [{ name: 'find_notes', arguments: '{"words": [], "limit": "many"}' }] },
  ([result]) => ({
    calls: [
      { name: 'find_notes', arguments: { words: [result?.isError === true ? 'tea' : 'coffee'] } },
    ],
  }),
  { text: 'There is one.' },
]);
const outcomes = await playScript(model, tools);
// #endregion

assert.deepEqual(
  outcomes.map(({ status }) => status),
  ['invalid_arguments', 'completed'],
);
console.log('100 calls and a conversation');
