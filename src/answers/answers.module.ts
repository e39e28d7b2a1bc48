import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import { EmbedModule } from '../embed/embed.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AnswerAgain } from './answer-again.service.js';
import { RememberInterceptor } from './remember.interceptor.js';
import { RememberedAnswers } from './remembered-answers.service.js';
import { TokenAgain } from './token-again.service.js';

@Module({
  imports: [AuthModule, EmbedModule, WorkspacesModule],
  providers: [
    AnswerAgain,
    RememberedAnswers,
    TokenAgain,
    { provide: APP_INTERCEPTOR, useClass: RememberInterceptor },
  ],
})
export class AnswersModule {}
