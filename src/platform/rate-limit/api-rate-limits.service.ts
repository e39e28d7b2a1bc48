import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Problem } from '../../core/problems/problem.js';
import { Config } from '../../core/config/config.js';
import type { Principal } from '../../core/http/principal.js';
import { clientAddress } from '../../core/http/client-address.js';
import { LimitStoreService } from './limit-store.service.js';
import type { Limit } from './limit.js';

const MINUTE = 60;
/** API requests per new embed token: each token costs a Power BI call and counts against the capacity's token limit. */
const REQUESTS_PER_EMBED_TOKEN = 10;
/** SCIM requests per API request: identity providers expect 25 per second (1,500 per minute) for a first load. */
const SCIM_REQUESTS = 10;
const scimPath = /^\/scim(\/|$)/i;

class TooManyRequests extends Problem {
  constructor(retryAfter: number) {
    super('rate_limited', 'The rate limit per minute is exceeded. Try again later.', { retryAfter });
  }
}

interface RateLimit {
  name: string;
  points: number;
  limit: Limit;
}

/** Appends to the header, to which another limit may have written. */
function append(response: Response, name: string, item: string): void {
  const others = response.getHeader(name);
  response.setHeader(name, typeof others === 'string' ? `${others}, ${item}` : item);
}

/** Limits API requests per minute by user and by address; sets the headers of draft-ietf-httpapi-ratelimit-headers. */
@Injectable()
export class ApiRateLimitsService {
  private readonly addresses?: RateLimit;
  private readonly persons?: RateLimit;
  private readonly serviceAccounts?: RateLimit;
  private readonly embedTokens?: RateLimit;
  private readonly scimAddresses?: RateLimit;
  private readonly scimClients?: RateLimit;

  constructor(store: LimitStoreService, { limits: { api } }: Config) {
    const limitOf = (name: string, points: number): RateLimit | undefined =>
      points === 0
        ? undefined
        : { name, points, limit: store.bestEffort({ name: `api-${name}`, points, seconds: MINUTE }) };
    this.addresses = limitOf('address', api.perAddress);
    this.persons = limitOf('person', api.perPerson);
    this.serviceAccounts = limitOf('service-account', api.perServiceAccount);
    this.scimAddresses = limitOf('scim-address', api.perAddress * SCIM_REQUESTS);
    this.scimClients = limitOf('scim-client', api.perPerson * SCIM_REQUESTS);
    this.embedTokens = limitOf('embed-token', Math.ceil(api.perPerson / REQUESTS_PER_EMBED_TOKEN));
  }

  /** Throws TooManyRequests. */
  consumeAddress(request: Request, response: Response): Promise<void> {
    const limit = scimPath.test(request.originalUrl) ? this.scimAddresses : this.addresses;
    return this.consume(limit, clientAddress(), response);
  }

  /** Throws TooManyRequests. */
  async consumeUser(caller: Principal, request: Request, response: Response): Promise<void> {
    const own = caller.isService === true ? this.serviceAccounts : this.persons;
    await this.consume(scimPath.test(request.path) ? this.scimClients : own, caller.id, response);
    const { path } = request.route as { path: string };
    if (caller.isService !== true && path.endsWith('/embed-token'))
      await this.show(this.embedTokens, caller.id, response);
  }

  /** For a new embed token of a person; not for one that the person receives again. Throws TooManyRequests. */
  async consumeEmbedToken(userId: string): Promise<void> {
    const consumed = await this.embedTokens?.limit.tryConsume(userId);
    if (consumed?.isOver === true) throw new TooManyRequests(consumed.seconds);
  }

  /** The state before the request. */
  private async show(rateLimit: RateLimit | undefined, key: string, response: Response): Promise<void> {
    if (rateLimit !== undefined) write(response, rateLimit, await rateLimit.limit.peek(key));
  }

  private async consume(rateLimit: RateLimit | undefined, key: string, response: Response): Promise<void> {
    if (rateLimit === undefined) return;
    const consumed = await rateLimit.limit.tryConsume(key);
    write(response, rateLimit, consumed);
    if (consumed.isOver) throw new TooManyRequests(consumed.seconds);
  }
}

function write(
  response: Response,
  { name, points }: RateLimit,
  { left, seconds }: { left: number; seconds: number },
): void {
  append(response, 'RateLimit-Policy', `"${name}";q=${points};w=${MINUTE}`);
  append(response, 'RateLimit', `"${name}";r=${left};t=${seconds}`);
}
