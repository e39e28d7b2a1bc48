import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { JwtStrategy } from '../auth/jwt.strategy.js';
import { ApiBudgets } from '../auth/limits/api-budgets.service.js';
import { sendJson } from '../common/json-answer.js';
import { type Answer, RememberedAnswers } from './remembered-answers.service.js';

/** The short way to an answer that is remembered: whoever asks is looked at as always, and has a budget as always. */
@Injectable()
export class AnswerAgain {
  constructor(
    private readonly strategy: JwtStrategy,
    private readonly budgets: ApiBudgets,
    private readonly answers: RememberedAnswers,
  ) {}

  async handle(request: Request, response: Response, next: NextFunction): Promise<void> {
    const answer = this.find(request);
    if (answer === undefined || request.user === undefined) {
      next();
      return;
    }
    await this.budgets.spendPerson(request.user.id, request, response);
    if (answer.link !== undefined) response.setHeader('Link', answer.link);
    sendJson(response, answer.body, answer.etag);
  }

  /** From memory only: no deadline runs yet, and nobody has a place among those at work. */
  private find(request: Request): Answer | undefined {
    if (request.method !== 'GET') return undefined;
    const caller = this.strategy.known(request);
    if (caller === undefined) return undefined;
    const answer = this.answers.find(caller, request.originalUrl);
    if (answer === undefined) return undefined;
    request.user = caller;
    request.route = { path: answer.route };
    return answer;
  }
}
