// The tools of the contract test: arrays, paths, pairs, nested objects, a union, null, a map, a
// secret, a question, files. Each but those of the last two returns its arguments.
import { Equals, IsIn, IsInt, IsObject, IsOptional, IsString, Min } from 'class-validator';
import {
  Alias,
  ArrayOf,
  Nullable,
  OneOf,
  PairedDefault,
  PathField,
  RecordOf,
  Secret,
  Tool,
  type ToolContext,
  ToolRegistry,
  ToolResult,
} from 'toolmend';

class ReturnsArguments {
  execute(): unknown {
    return Object.fromEntries(Object.entries(this));
  }
}

@Tool({ description: 'Read text files.', effects: 'read' })
export class ReadFiles extends ReturnsArguments {
  @ArrayOf(String) @PathField() @Alias('file') paths!: string[];
  @IsOptional() @IsInt() @Min(0) offset?: number;
  @IsOptional() @IsInt() @Min(1) @PairedDefault('offset', 0) limit?: number;
}

class OrderLine {
  @IsString() sku!: string;
  @IsInt() @Min(1) count!: number;
}

class CardPayment {
  @Equals('card') kind!: 'card';
  @IsString() number!: string;
}

class InvoicePayment {
  @Equals('invoice') kind!: 'invoice';
  @IsIn(['net_30', 'net_60']) @IsString() terms!: string;
}

@Tool({ description: 'Place an order.', effects: 'write' })
class PlaceOrder extends ReturnsArguments {
  @ArrayOf(() => OrderLine) lines!: OrderLine[];
  @OneOf('kind', () => [CardPayment, InvoicePayment]) payment!: CardPayment | InvoicePayment;
}

@Tool({ description: 'Set a profile.', effects: 'write' })
class SetProfile extends ReturnsArguments {
  @IsString() name!: string;
  @Nullable() @IsString() phone!: string | null;
  @IsOptional() @IsInt() age?: number;
}

@Tool({ description: 'Label an item.', effects: 'write' })
class LabelItem extends ReturnsArguments {
  @RecordOf(Number) labels!: Record<string, number>;
}

@Tool({ description: 'Sign in.', effects: 'write' })
class SignIn {
  @IsString() user!: string;
  @Secret() @IsString() password!: string;
  execute(): unknown {
    return `${this.user} is signed in`;
  }
}

@Tool({ description: 'Delete orders.', effects: 'destructive' })
class DeleteOrders extends ReturnsArguments {
  @ArrayOf(Number) @IsInt({ each: true }) ids!: number[];
  @IsOptional() @IsString() reason?: string;
}

@Tool({ description: 'Rent a bike.', effects: 'write' })
class RentBike {
  @IsInt() @Min(1) days!: number;

  async execute(context: ToolContext): Promise<string> {
    const { size } = await context.ask({
      question: `Which size for ${this.days} days?`,
      schema: {
        type: 'object',
        properties: { size: { enum: ['S', 'M', 'L'] } },
        required: ['size'],
      },
    });
    return `${size} for ${this.days} days`;
  }
}

@Tool({ description: 'Export a report.', effects: 'read' })
class ExportReport {
  @IsInt() @Min(1) pages!: number;

  execute(): ToolResult {
    return ToolResult.of(`a report of ${this.pages} pages`)
      .file('JVBERg==', 'application/pdf', { name: 'report.pdf' })
      .file(new Uint8Array([82, 73, 70, 70]), 'audio/wav')
      .link('https://a.test/report', { name: 'The report', mediaType: 'text/html', size: 9 });
  }
}

@Tool({
  description: 'Call a tool.',
  effects: 'write',
  dispatches: { name: 'tool_name', arguments: 'parameters' },
})
class CallTool extends ReturnsArguments {
  @IsString() tool_name!: string;
  @IsObject() parameters!: object;
}

export const sampleClasses = [
  ReadFiles,
  PlaceOrder,
  SetProfile,
  LabelItem,
  SignIn,
  DeleteOrders,
  RentBike,
  ExportReport,
  CallTool,
] as const;

/** `read_files` alone. */
export const fileTools = (): ToolRegistry => new ToolRegistry().register(ReadFiles);

export const sampleTools = (): ToolRegistry => new ToolRegistry().register(...sampleClasses);
