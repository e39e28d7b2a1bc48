import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiBudgets } from './api-budgets.service.js';

/** Comes after the guard that tells who is calling. */
@Injectable()
export class BudgetGuard implements CanActivate {
  constructor(private readonly budgets: ApiBudgets) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (request.user !== undefined) {
      await this.budgets.spendPerson(request.user.id, request, http.getResponse<Response>());
    }
    return true;
  }
}
