// An embedded PostgreSQL, in memory or in a folder.
import { PGlite } from '@electric-sql/pglite';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { exampleRows, tables } from './example-rows.ts';

type Row = Readonly<Record<string, unknown>>;

/** The token for the folder of the service's data. Undefined: in memory. */
export const dataFolder = Symbol('data folder');

@Injectable()
export class Database implements OnModuleInit, OnModuleDestroy {
  readonly #client: PGlite;

  constructor(@Inject(dataFolder) folder: string | undefined) {
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
    this.#client = new PGlite(folder === undefined ? 'memory://' : join(folder, 'shop'));
  }

  async onModuleInit(): Promise<void> {
    await this.#client.exec(tables);
    const [counted] = await this.rows<{ count: number }>(
      'SELECT count(*)::int AS count FROM orders',
    );
    if (counted?.count === 0) await this.#client.exec(exampleRows);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#client.close();
  }

  async rows<Found extends Row>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Found[]> {
    const { rows } = await this.#client.query<Found>(sql, [...values]);
    return rows;
  }

  /** One transaction. */
  async transaction<Result>(run: (query: Database['rows']) => Promise<Result>): Promise<Result> {
    return this.#client.transaction((transaction) =>
      run(async <Found extends Row>(sql: string, values?: readonly unknown[]) => {
        const { rows } = await transaction.query<Found>(sql, [...(values ?? [])]);
        return rows;
      }),
    );
  }
}
