import { DefinitionError, ToolRegistry } from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { toolOf } from '../tools.ts';

const register = (tools: ToolRegistry): unknown => {
  try {
    return tools.register(toolOf(() => 'done', { transactional: true }));
  } catch (error) {
    return error;
  }
};

it('a transactional tool needs a journal in a database', async () => {
  const errors = [
    register(new ToolRegistry()),
    register(new ToolRegistry({ journal: await openJournal() })),
  ];

  for (const error of errors) {
    expect(error).toBeInstanceOf(DefinitionError);
    expect(String(error)).toContain(
      "work is transactional, and the registry has no journal in a database: construct the registry with journal: await openJournal({ connectionString }) of 'toolmend/journal', or leave transactional out",
    );
  }
});
