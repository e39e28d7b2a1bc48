import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import { InvalidRequest } from '../problems/problem.js';
import { escapePointer, unknownName } from './validation.js';

/**
 * Rejects the query of a route of the API that reads none: without the ignored filter, a request could return or change more than
 * its caller means. Other queries are validated by their class.
 */
@Injectable()
export class UnreadQueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { query } = context.switchToHttp().getRequest<Request>();
    const names = Object.keys(query);
    if (names.length === 0 || !isOfApi(context) || readsQuery(context)) return true;
    throw new InvalidRequest(
      names.map((name) => ({
        pointer: `/${escapePointer(name)}`,
        detail: unknownName(name, ['no parameters']),
      })),
    );
  }
}

const isOfApi = (context: ExecutionContext): boolean =>
  String(Reflect.getMetadata(PATH_METADATA, context.getClass())).startsWith('api');

function readsQuery(context: ExecutionContext): boolean {
  const { name } = context.getHandler();
  const read = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), name) ?? {}) as object;
  return Object.keys(read).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
}
