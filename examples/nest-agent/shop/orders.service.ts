// An ordinary Nest service. It knows nothing of models or tools.
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { Database } from './database.ts';

export type OrderStatus = 'paid' | 'shipped' | 'delivered';

export interface Order {
  readonly [column: string]: unknown;
  readonly id: number;
  readonly status: OrderStatus;
  readonly article: string;
  readonly count: number;
  readonly total: number;
  readonly refunded: number;
  readonly address: string;
  readonly gift_card: string | null;
}

const columns = 'id, status, article, count, total::float, refunded::float, address, gift_card';

@Injectable()
export class OrdersService {
  constructor(private readonly database: Database) {}

  async list(
    customer: string,
    statuses?: readonly OrderStatus[],
    limit = 50,
  ): Promise<readonly Order[]> {
    return this.database.rows<Order>(
      `SELECT ${columns} FROM orders
        WHERE customer = $1 AND ($2::text[] IS NULL OR status = ANY ($2)) ORDER BY id LIMIT $3`,
      [customer, statuses ?? null, limit],
    );
  }

  async changeAddress(customer: string, id: number, address: string): Promise<Order> {
    return this.#change(customer, id, async (order, query) => {
      if (order.status !== 'paid')
        throw new ConflictException(`Order ${id} is ${order.status} already.`);
      await query('UPDATE orders SET address = $2 WHERE id = $1', [id, address]);
    });
  }

  async refund(customer: string, id: number, amount: number): Promise<Order> {
    return this.#change(customer, id, async ({ total, refunded }, query) => {
      if (refunded + amount > total) {
        throw new ConflictException(`Of order ${id} at most ${total - refunded} can be refunded.`);
      }
      await query('UPDATE orders SET refunded = refunded + $2 WHERE id = $1', [id, amount]);
    });
  }

  async wrapAsGift(customer: string, id: number, card: string): Promise<Order> {
    return this.#change(customer, id, async (order, query) => {
      if (order.status !== 'paid')
        throw new ConflictException(`Order ${id} is ${order.status} already.`);
      await query('UPDATE orders SET gift_card = $2 WHERE id = $1', [id, card]);
    });
  }

  /** Returns the changed order. Locks it, and hides other customers' orders. */
  async #change(
    customer: string,
    id: number,
    change: (order: Order, query: Database['rows']) => Promise<void>,
  ): Promise<Order> {
    return this.database.transaction(async (query) => {
      const find = (): Promise<readonly Order[]> =>
        query<Order>(`SELECT ${columns} FROM orders WHERE id = $1 AND customer = $2 FOR UPDATE`, [
          id,
          customer,
        ]);
      const [before] = await find();
      if (before === undefined) throw new NotFoundException(`There is no order ${id}.`);
      await change(before, query);
      const [after = before] = await find();
      return after;
    });
  }
}
