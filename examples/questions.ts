// A tool asks a person while it runs, and goes on with the answer.

// #region question
import { strictEqual } from 'node:assert/strict';
import { IsString } from 'class-validator';
import { Tool, type ToolContext, toolMessage, ToolRegistry } from 'toolmend';

const orders: string[] = [];

@Tool({ description: 'Order a T-shirt.', effects: 'write' })
class OrderShirt {
  @IsString()
  colour!: string;

  async execute(context: ToolContext): Promise<string> {
    const { size, gift } = await context.ask({
      question: `Which size shall the ${this.colour} shirt have?`,
      schema: {
        type: 'object',
        properties: {
          size: { enum: ['S', 'M', 'L'] },
          gift: { type: 'boolean', description: 'Wrap it as a gift.', default: false },
        },
        required: ['size'],
      },
    });
    orders.push(`${this.colour} ${size}`);
    return `Ordered${gift === true ? ' as a gift' : ''}: ${this.colour}, ${size}.`;
  }
}

const tools = new ToolRegistry().register(OrderShirt);

const waiting = await tools.call({
  id: 'call_1',
  name: 'order_shirt',
  arguments: '{"colour": "red"}',
});
strictEqual(waiting.status, 'input_required');
const { question } = waiting; // show `question.question` and a form for `question.schema`

// Later: the person answers.
const answer = { action: 'accept', content: { size: 'm', gift: 'true' } } as const;
const outcome = await tools.answerQuestion(question, answer);
// #endregion

console.log(toolMessage(waiting).text);
console.log(toolMessage(outcome).text);

const refused = await tools.call({
  id: 'call_2',
  name: 'order_shirt',
  arguments: { colour: 'blue' },
});
strictEqual(refused.status, 'input_required');
const open = await tools.answerQuestion(refused.question, {
  action: 'accept',
  content: { size: 'XL' },
});
strictEqual(open.status, 'input_required');
console.log(open.problem);
const declined = await tools.answerQuestion(refused.question, { action: 'decline' });
console.log(toolMessage(declined).text);

// #region elicit
const answered = await tools.call(
  { id: 'call_3', name: 'order_shirt', arguments: { colour: 'green' } },
  {
    elicit: async ({ question: text, schema }) => {
      console.log(text, Object.keys(schema.properties ?? {})); // a prompt, or a dialog
      return { action: 'accept', content: { size: 'L' } };
    },
  },
);
// #endregion
console.log(toolMessage(answered).text);
strictEqual(orders.join(), 'red M,green L');
