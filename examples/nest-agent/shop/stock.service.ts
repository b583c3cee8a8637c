// The stock, and the pages of the shop.
import { Injectable, NotFoundException } from '@nestjs/common';
import { Database } from './database.ts';

export interface StockedArticle {
  readonly [column: string]: unknown;
  readonly article: string;
  readonly price: number;
  readonly stock: number;
}

@Injectable()
export class StockService {
  constructor(private readonly database: Database) {}

  async find(articles: readonly string[]): Promise<readonly StockedArticle[]> {
    return this.database.rows<StockedArticle>(
      'SELECT article, price::float, stock FROM articles WHERE article = ANY ($1) ORDER BY article',
      [articles],
    );
  }

  async add(article: string, count: number): Promise<StockedArticle> {
    const [changed] = await this.database.rows<StockedArticle>(
      'UPDATE articles SET stock = stock + $2 WHERE article = $1 RETURNING article, price::float, stock',
      [article, count],
    );
    if (changed === undefined) throw new NotFoundException(`There is no article ${article}.`);
    return changed;
  }

  async page(path: string): Promise<string> {
    const [page] = await this.database.rows<{ body: string }>(
      'SELECT body FROM pages WHERE path = $1',
      [path],
    );
    if (page === undefined)
      throw new NotFoundException(
        `There is no page ${path}; there are returns.md and shipping.md.`,
      );
    return page.body;
  }
}
