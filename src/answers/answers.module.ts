import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AnswerAgain } from './answer-again.service.js';
import { RememberInterceptor } from './remember.interceptor.js';
import { RememberedAnswers } from './remembered-answers.service.js';

@Module({
  imports: [AuthModule, WorkspacesModule],
  providers: [AnswerAgain, RememberedAnswers, { provide: APP_INTERCEPTOR, useClass: RememberInterceptor }],
})
export class AnswersModule {}
