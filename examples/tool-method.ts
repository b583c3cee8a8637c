// Makes a service's method a tool, with a dependency, a time limit, progress and a signal.
import { Equals, IsInt, IsString, Min } from 'class-validator';
import {
  ArrayOf,
  Check,
  FromContext,
  OneOf,
  ToolFailure,
  toolMessage,
  ToolMethod,
  ToolRegistry,
  ToolRetry,
  type ToolContext,
} from 'toolmend';

class Item {
  @IsString()
  article!: string;

  @IsInt()
  @Min(1)
  count!: number;
}

class Pickup {
  @Equals('pickup')
  kind!: 'pickup';
}

class Delivery {
  @Equals('delivery')
  kind!: 'delivery';

  @IsString()
  city!: string;
}

class PlaceOrder {
  @ArrayOf(() => Item) // the thunk is needed only if the class is declared later or imports form a cycle
  items!: Item[];

  @OneOf('kind', () => [Pickup, Delivery])
  handover!: Pickup | Delivery;

  @FromContext()
  customer!: string; // set by the application; models don't see it

  @Check()
  articlesDiffer(): true | string {
    const articles = this.items.map(({ article }) => article);
    return new Set(articles).size === articles.length || 'name each article once, with its count';
  }
}

class Stock {
  readonly left = new Map([
    ['tea', 3],
    ['soap', 0],
  ]);
}

class Orders {
  constructor(private readonly stock: Stock) {}

  @ToolMethod(PlaceOrder, { description: 'Place an order.', effects: 'write', timeoutMs: 2000 })
  place({ items, customer, handover }: PlaceOrder, { signal, progress }: ToolContext): string {
    for (const { article, count } of items) {
      signal.throwIfAborted();
      progress(`looking for ${article}`);
      const left = this.stock.left.get(article);
      if (left === undefined)
        throw new ToolRetry(`There is no ${article}; there are tea and soap.`);
      if (left < count) throw new ToolFailure(`Only ${left} ${article} left.`);
    }
    return `${customer}: ${items.map(({ article }) => article).join(', ')}, ${handover.kind}`;
  }
}

const stock = new Stock();
const tools = new ToolRegistry({
  create: (Class) => (Class === Orders ? new Orders(stock) : new Class()), // or: (Class) => container.get(Class)
}).register(Orders);

const handover = { kind: 'pickup' };
const sent = [
  { items: [{ article: 'tea', count: 2 }], handover },
  { items: [{ article: 'coffee', count: 1 }], handover },
  { items: [{ article: 'soap', count: 1 }], handover },
];
for (const value of sent) {
  const call = { id: 'call_1', name: 'place', arguments: value };
  const outcome = await tools.call(call, {
    context: { customer: 'Ada' },
    signal: AbortSignal.timeout(60_000), // cancels; any AbortSignal will do
    progress: (update) => console.log(update),
  });
  console.log(outcome.status, '-', toolMessage(outcome).text);
}
