import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { JwtStrategy } from '../auth/jwt.strategy.js';
import { ApiBudgets } from '../auth/limits/api-budgets.service.js';
import { sendJson } from '../common/json-answer.js';
import { type EmbedAccess, embedAccess, EmbedRequestDto } from '../embed/dto/embed-request.dto.js';
import { EmbedService } from '../embed/embed.service.js';

/**
 * The short way to an embed token that is at hand, for somebody whose right to it is known. Whatever else it takes (a
 * look at the database, Power BI, words for what is wrong with the request) the route does.
 */
@Injectable()
export class TokenAgain {
  constructor(
    private readonly strategy: JwtStrategy,
    private readonly budgets: ApiBudgets,
    private readonly embedding: EmbedService,
  ) {}

  async handle(request: Request<{ id: string }>, response: Response, next: NextFunction): Promise<void> {
    const access = accessIn(request.body);
    const caller = access && this.strategy.known(request);
    const found = caller && this.embedding.atHand(caller, request.params.id, access);
    if (caller === undefined || found === undefined) {
      next();
      return;
    }
    request.user = caller;
    await this.budgets.spendPerson(caller.id, request, response);
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, JSON.stringify(this.embedding.handOut(found)));
  }
}

/** Undefined for a body that the route has to look at. */
function accessIn(body: unknown): EmbedAccess | undefined {
  if (body === undefined) return new EmbedRequestDto().access;
  if (typeof body !== 'object' || body === null || Object.keys(body).length !== 1) return undefined;
  const { access } = body as Record<string, unknown>;
  return embedAccess.find((each) => each === access);
}
