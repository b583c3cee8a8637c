// An embedded PostgreSQL, in memory or in the folder SHOP_DATA.
import { PGlite } from '@electric-sql/pglite';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { exampleRows, tables } from './example-rows.ts';

type Row = Readonly<Record<string, unknown>>;

@Injectable()
export class Database implements OnModuleInit, OnModuleDestroy {
  readonly #client = new PGlite(process.env['SHOP_DATA'] ?? 'memory://');

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
