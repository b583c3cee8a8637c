// A result with a PDF, a recording and a link.

// #region tool
import { defineTool, ToolRegistry, ToolResult } from 'toolmend';

const exportInvoice = defineTool<{ readonly number: number }>({
  name: 'export_invoice',
  description: 'Export an invoice.',
  inputSchema: {
    type: 'object',
    properties: { number: { type: 'integer' } },
    required: ['number'],
  },
  execute: ({ number }) =>
    ToolResult.of(`Invoice ${number}.`)
      .file(new TextEncoder().encode('%PDF-1.7 …'), 'application/pdf', { name: `${number}.pdf` })
      .file('UklGRg==', 'audio/wav') // bytes, or their base64
      .link(`https://shop.example/invoices/${number}`, { name: 'The invoice online' }),
});
const tools = new ToolRegistry().register(exportInvoice);
// #endregion

// #region answer
import { responses } from 'toolmend/openai';

const { outputs } = await responses(tools).answer({
  model: 'gpt-5',
  status: 'completed',
  output: [
    {
      type: 'function_call',
      call_id: 'call_1',
      name: 'export_invoice',
      arguments: '{"number":"7"}',
    },
  ],
});
// #endregion
for (const item of outputs) if (item.type === 'function_call_output') console.log(item.output);
