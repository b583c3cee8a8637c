// Puts code around every call: permissions, corrections, and a look at results.

// #region interceptors
import assert from 'node:assert/strict';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { type Interceptor, Tool, toolMessage, ToolRegistry } from 'toolmend';

@Tool({ description: 'Search the notes.', effects: 'read' })
class SearchNotes {
  @IsString()
  query!: string;

  @IsOptional()
  @IsInt()
  limit?: number;

  execute(): string[] {
    return [`${this.query} 1`, `${this.query} 2: the password is hunter2`].slice(0, this.limit);
  }
}

const permissions: Interceptor = (call, next) =>
  call.values['user'] === 'guest' ? call.deny('Guests may not search the notes.') : next();

const atMostTwo: Interceptor = (call, next) => next({ ...call.arguments, limit: 2 });

const withoutPasswords: Interceptor = async (call, next) => {
  const outcome = await next();
  if (outcome.status !== 'completed' || !outcome.content.text.includes('password')) return outcome;
  return call.answer(outcome.content.text.replaceAll(/password is \w+/g, 'password is ***'));
};

const tools = new ToolRegistry({
  interceptors: [permissions, atMostTwo, withoutPasswords], // the first one is the outermost
}).register(SearchNotes);
// #endregion

const call = { id: 'call_1', name: 'search_notes', arguments: '{"query": "tea", "limit": "50"}' };

const denied = await tools.call(call, { context: { user: 'guest' } });
assert.equal(toolMessage(denied).text, 'Guests may not search the notes.');

const found = toolMessage(await tools.call(call, { context: { user: 'ada' } }));
assert.equal(found.text, '["tea 1","tea 2: the password is ***"]');
assert.deepEqual(found.notes, ['The application changed limit.']);

console.log(denied.status, '-', found.text);
