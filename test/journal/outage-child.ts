// A process that uses a journal on servers that break: `outage-child.ts PORT…`. It prints how each
// use ended, and must live to its end.
import { openJournal } from '../../src/journal/index.ts';

async function use(port: string): Promise<string> {
  const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`;
  try {
    const journal = await openJournal({ connectionString });
    await journal.sql?.transaction((database) => database.query('select 1'));
    await journal.close();
    return 'answered';
  } catch (error) {
    return `rejected: ${String(error)}`;
  }
}

for (const port of process.argv.slice(2)) console.log(await use(port));
console.log('alive');
