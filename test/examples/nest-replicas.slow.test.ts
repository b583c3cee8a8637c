import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startPostgres, whyWithoutPostgres } from '../journal/postgres-server.ts';
import { buildCopy, copyOfProject } from './built-copy.ts';

const why = whyWithoutPostgres();

(why === undefined ? test : test.skip)(
  `two replicas and a worker share a PostgreSQL, and lose nothing when processes are killed${why === undefined ? '' : ` (${why})`}`,
  async () => {
    const copy = copyOfProject();
    expect(buildCopy(copy).compilerOutput).toBe('');
    const server = await startPostgres();
    try {
      const env = { ...process.env, DATABASE_URL: server.connectionString };
      const options = { encoding: 'utf8', timeout: 800_000, env } as const;
      const program = join(copy, 'dist-examples/nest-replicas/main.js');
      const { status, stdout, stderr } = spawnSync(process.execPath, [program], options);
      expect([stderr, status]).toEqual(['', 0]);
      expect(stdout.split('\n')).toEqual([
        'a replica has started',
        'a replica has started',
        'the approval was given on the other replica, and counted once',
        'a worker has started',
        'a worker has started',
        'the export outlived its worker, and its result came once',
        'all processes have ended',
        '',
      ]);
    } finally {
      server.remove();
    }
  },
);
