// Tools for the stock and the shop's pages.
import { Injectable, UseFilters, UseGuards } from '@nestjs/common';
import { ArrayMaxSize, IsInt, IsString, Max, Min } from 'class-validator';
import { ArrayOf, Describe, PathField, ToolMethod } from 'toolmend';
import { type StockedArticle, StockService } from '../shop/stock.service.ts';
import { ShopExceptions } from './shop-exceptions.filter.ts';
import { Staff, StaffGuard } from './staff.guard.ts';

export class StockArguments {
  @ArrayOf(String)
  @ArrayMaxSize(20)
  articles!: string[];
}

export class PageArguments {
  @IsString()
  @PathField()
  @Describe('A page of the shop, such as returns.md.')
  path!: string;
}

export class RestockArguments {
  @IsString()
  article!: string;

  @IsInt()
  @Min(1)
  @Max(1000)
  count!: number;
}

@Injectable()
@UseGuards(StaffGuard)
@UseFilters(ShopExceptions)
export class StockTools {
  constructor(private readonly stock: StockService) {}

  @ToolMethod(StockArguments, {
    name: 'look_up_stock',
    description: 'Price and stock of articles.',
    effects: 'read',
  })
  find({ articles }: StockArguments): Promise<readonly StockedArticle[]> {
    return this.stock.find(articles);
  }

  @ToolMethod(PageArguments, {
    name: 'read_page',
    description: 'Read a page of the shop.',
    effects: 'read',
  })
  page({ path }: PageArguments): Promise<string> {
    return this.stock.page(path);
  }

  @Staff()
  @ToolMethod(RestockArguments, {
    description: 'Add to the stock of an article.',
    effects: 'write',
  })
  restock({ article, count }: RestockArguments): Promise<StockedArticle> {
    return this.stock.add(article, count);
  }
}
