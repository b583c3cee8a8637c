import { Pool } from 'pg';
import { DefinitionError } from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { startFakePostgres } from './fake-postgres.ts';

const urlOf = (port: number): string => `postgres://postgres:old@127.0.0.1:${port}/postgres`;

it('a password function is called for each connection', async () => {
  const passwords: string[] = [];
  const server = await startFakePostgres('a FATAL', Infinity, passwords);
  let calls = 0;
  const password = () => Promise.resolve(`token ${(calls += 1)}`);

  const journal = await openJournal({ connectionString: urlOf(server.port), password });
  const query = () => journal.sql?.query('select 1');
  await Promise.all([query(), query(), query()]);
  await journal.close();
  server.close();

  expect(passwords.length).toBeGreaterThanOrEqual(3);
  expect(new Set(passwords)).toEqual(
    new Set(passwords.map((_password, index) => `token ${index + 1}`)),
  );
});

it('a pool has as many connections as poolSize says', async () => {
  const passwords: string[] = [];
  const server = await startFakePostgres('a FATAL', Infinity, passwords);

  const journal = await openJournal({ connectionString: urlOf(server.port), poolSize: 2 });
  passwords.length = 0;
  const query = async () => journal.sql?.query('select 1');
  await Promise.all(Array.from({ length: 20 }, query));
  await journal.close();
  server.close();

  expect(passwords.length).toBeGreaterThan(0);
  expect(passwords.length).toBeLessThanOrEqual(2);
});

it('a pool of the application is used, and left open', async () => {
  const server = await startFakePostgres('a FATAL', Infinity);
  const pool = new Pool({ connectionString: urlOf(server.port) });

  const journal = await openJournal({ pool });
  await journal.sql?.query('select 1');
  const used = pool.totalCount;
  await journal.close();

  expect(used).toBe(1);
  expect(pool.listenerCount('error')).toBe(0);
  expect(await pool.query('select 1')).toMatchObject({ rows: [] });
  await pool.end();
  server.close();
});

it.each([
  [{ pool: new Pool(), folder: 'journal' }, 'was given a folder and a pool: write one of them'],
  [{ poolSize: 5 }, 'was given poolSize without a connectionString'],
  [{ folder: 'journal', password: () => 'x' }, 'was given password without a connectionString'],
  [{ connectionString: 'postgres://', poolSize: 1 }, 'poolSize'],
  [{ pool: undefined }, 'has pool: undefined: set it'],
])('refuses %p', async (options, message) => {
  const error: unknown = await openJournal(Object(options)).catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(DefinitionError);
  expect(String(error)).toContain(message);
});
