// Writes one row for each tool call into the shop's database.
import { Injectable } from '@nestjs/common';
import { Database } from './database.ts';

export interface AuditEntry {
  readonly [column: string]: unknown;
  readonly customer: string;
  readonly tool: string;
  readonly ended: string;
}

@Injectable()
export class AuditService {
  constructor(private readonly database: Database) {}

  async write({ customer, tool, ended }: AuditEntry): Promise<void> {
    await this.database.rows('INSERT INTO audit (customer, tool, ended) VALUES ($1, $2, $3)', [
      customer,
      tool,
      ended,
    ]);
  }

  async entries(): Promise<readonly AuditEntry[]> {
    return this.database.rows<AuditEntry>('SELECT customer, tool, ended FROM audit ORDER BY id');
  }
}
