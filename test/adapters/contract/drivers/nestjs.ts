// The contract test in a Nest application: the tools are providers of a module, and every call goes through Nest.
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { toolMessage } from 'toolmend';
import { compileTools, ToolmendModule } from 'toolmend/nestjs';
import { RecordingLogger } from '../../nestjs/recording-logger.ts';
import type { AdapterDriver } from '../adapter-driver.ts';
import { sampleClasses } from '../sample-tools.ts';

@Module({ imports: [ToolmendModule.forRoot({})], providers: [...sampleClasses] })
class SampleModule {}

export const nestjs: AdapterDriver = {
  name: 'Nest',
  async run({ id, tool, text, isCut }) {
    const builder = Test.createTestingModule({ imports: [SampleModule] }).setLogger(new RecordingLogger());
    const { tools, close } = await compileTools(builder);
    const finishReason = isCut === true ? 'length' : 'tool_calls';
    const outcome = await tools.call({ id, name: tool, arguments: text, finishReason });
    await close();
    const { text: said, notes, isError } = toolMessage(outcome);
    return { text: said, notes, isError, by: 'toolmend' };
  },
};
