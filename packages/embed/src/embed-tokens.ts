import { requestToken, type TokenRequest } from './request-token.js';
import { Subscription } from './follower.js';
import { TokenRenewer } from './token-renewer.js';
import type { EmbedTokens, KeepOptions, ServiceOptions } from './types.js';
import type { Environment } from './environment.js';
import { ServiceClient } from './service-client.js';
import { UsageQueue } from './usage-queue.js';
import { UsageReporter } from './usage-reporter.js';

/** One renewer for each report and access level, shared by its subscriptions. */
export function embedTokensIn(environment: Environment, service: ServiceOptions): EmbedTokens {
  const client = new ServiceClient(service);
  const usage =
    service.reportUsage === false
      ? undefined
      : new UsageReporter(environment, new UsageQueue(environment, client));
  const keepers = new Map<string, TokenRenewer>();
  const keeperOf = (wanted: TokenRequest): TokenRenewer => {
    const key = JSON.stringify([wanted.reportId, wanted.access]);
    const keeper = keepers.get(key) ?? make(wanted, () => keepers.delete(key));
    keepers.set(key, keeper);
    return keeper;
  };
  const make = (wanted: TokenRequest, onDone: () => void): TokenRenewer =>
    new TokenRenewer({
      environment,
      requestToken: (signal) => requestToken(client, wanted, signal),
      onDone,
    });
  return {
    keep: (options: KeepOptions) => {
      const { reportId, access = 'view' } = options;
      return new Subscription(keeperOf({ reportId, access }), options, usage);
    },
  };
}
