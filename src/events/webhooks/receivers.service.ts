import { Injectable } from '@nestjs/common';
import { Config } from '../../core/config/config.js';
import { InvalidRequest } from '../../core/problems/problem.js';
import { HostResolverService } from './host-resolver.service.js';
import {
  findObjection,
  isAllowedHost,
  isPublicAddress,
  literalAddress,
  MAX_URL,
  NOT_PUBLIC,
} from './receiver-url.js';

/** Why a receiver cannot be reached. */
export class ReceiverRejected extends Error {
  constructor(readonly reason: 'url_not_allowed' | 'name_not_resolved' | 'address_not_public') {
    super(reason);
  }
}

const invalidUrl = (detail: string): InvalidRequest =>
  new InvalidRequest([{ pointer: '/url', detail: `url ${detail}` }]);

/** Which URLs the service sends webhooks to: those of the public internet, and those that the operator allows. */
@Injectable()
export class ReceiversService {
  constructor(
    private readonly config: Config,
    private readonly resolver: HostResolverService,
  ) {}

  /**
   * Returns the normalized URL. Throws InvalidRequest unless it is a receiver whose name resolves to public addresses. Without
   * `resolves` it checks all but the name, which every delivery resolves and checks.
   */
  async validate(text: string, { resolves = true } = {}): Promise<string> {
    if (!URL.canParse(text)) throw invalidUrl('must be a URL');
    const url = new URL(text);
    const objection = findObjection(url, this.config.webhooks.allowedHosts);
    if (objection !== null) throw invalidUrl(objection);
    if (url.href.length > MAX_URL) throw invalidUrl(`must not exceed ${MAX_URL} characters`);
    if (!resolves || this.isAllowed(url) || literalAddress(url) !== null) return url.href;
    try {
      await this.publicAddresses(url.hostname);
    } catch (error) {
      if (!(error instanceof ReceiverRejected)) throw error;
      throw invalidUrl(
        error.reason === 'name_not_resolved' ? 'must have a host whose name resolves' : NOT_PUBLIC,
      );
    }
    return url.href;
  }

  /** Whether the operator exempts it from the checks. Throws ReceiverRejected if the URL breaks the rules. */
  requireValid(url: URL): boolean {
    if (findObjection(url, this.config.webhooks.allowedHosts) !== null)
      throw new ReceiverRejected(literalAddress(url) === null ? 'url_not_allowed' : 'address_not_public');
    return this.isAllowed(url);
  }

  /** Resolves the name. Throws ReceiverRejected unless all of its addresses are public. */
  async publicAddresses(hostname: string): Promise<string[]> {
    const addresses = await this.resolver.resolve(hostname);
    if (addresses.length === 0) throw new ReceiverRejected('name_not_resolved');
    if (!addresses.every(isPublicAddress)) throw new ReceiverRejected('address_not_public');
    return addresses;
  }

  private isAllowed(url: URL): boolean {
    return isAllowedHost(url, this.config.webhooks.allowedHosts);
  }
}
