// The chat. The model comes from outside.
import { type DynamicModule, Module } from '@nestjs/common';
import type { LiveServer } from '../../main-job/live-job.ts';
import { ShopModule } from '../shop/shop.module.ts';
import { ChatAgent } from './chat-agent.ts';
import { ChatController } from './chat.controller.ts';
import { Conversations } from './conversations.ts';
import { ModelClient, modelServer } from './model-client.ts';

@Module({})
export class ChatModule {
  static forModel(server: LiveServer): DynamicModule {
    return {
      module: ChatModule,
      imports: [ShopModule],
      controllers: [ChatController],
      providers: [
        ChatAgent,
        Conversations,
        ModelClient,
        { provide: modelServer, useValue: server },
      ],
    };
  }
}
