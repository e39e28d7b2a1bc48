import type { Environment } from './environment.js';

function readTimeouts(env: Environment, embedding: Environment) {
  return {
    headersSeconds: env.integer(
      'HEADERS_TIMEOUT_SECONDS',
      'Timeout for receiving the request headers, in seconds',
      { min: 1, max: 60, fallback: 10 },
    ),
    requestSeconds: env.integer(
      'REQUEST_TIMEOUT_SECONDS',
      'Timeout for receiving the complete request, in seconds; not less than HEADERS_TIMEOUT_SECONDS',
      { min: 1, max: 300, fallback: 30 },
    ),
    keepAliveSeconds: env.integer(
      'KEEP_ALIVE_SECONDS',
      'Keep-alive timeout of an idle connection, in seconds; must exceed that of the load balancer',
      { min: 1, max: 3600, fallback: 65 },
    ),
    stalledSeconds: env.integer(
      'STALLED_READER_SECONDS',
      'Seconds after which a connection is closed if the client does not read the response',
      { min: 1, max: 300, fallback: 30 },
    ),
    deadlineSeconds: env.integer(
      'REQUEST_DEADLINE_SECONDS',
      'Processing deadline of a request, in seconds; then its query is canceled',
      { min: 1, max: 60, fallback: 15 },
    ),
    embedDeadlineSeconds: embedding.integer(
      'EMBED_DEADLINE_SECONDS',
      'Processing deadline of a request for an embed token, in seconds',
      { min: 1, max: 60, fallback: 12 },
    ),
  };
}

function readShutdown(env: Environment) {
  return {
    delaySeconds: env.integer(
      'SHUTDOWN_DELAY_SECONDS',
      'Seconds for which a replica continues to serve requests after a stop signal, until load balancers remove it',
      { min: 0, max: 60, fallback: 5 },
    ),
    drainSeconds: env.integer('SHUTDOWN_DRAIN_SECONDS', 'Seconds that running requests then have to finish', {
      min: 0,
      max: 60,
      fallback: 15,
    }),
    forcedSeconds: env.integer(
      'SHUTDOWN_FORCED_SECONDS',
      'Seconds after a stop signal until the process is terminated; must be less than the grace period of the orchestrator',
      { min: 1, max: 300, fallback: 25 },
    ),
  };
}

/** Load, timeout and shutdown limits of one replica. */
export function readServerLimits(root: Environment) {
  const env = root.group('Replica limits');
  const bounds = {
    maxConnections: env.integer(
      'MAX_CONNECTIONS',
      'Maximum concurrent connections; additional ones are closed',
      {
        min: 10,
        max: 100_000,
        fallback: 2000,
      },
    ),
    maxInFlight: env.integer(
      'MAX_REQUESTS_IN_FLIGHT',
      'Maximum concurrent requests; additional ones receive 503 `overloaded`',
      { min: 1, max: 10_000, fallback: 256 },
    ),
    shedDelayMs: env.integer(
      'SHED_LOOP_DELAY_MS',
      'Event loop delay in milliseconds above which every request receives 503 `overloaded`; 0: never',
      { min: 0, max: 60_000, fallback: 500 },
    ),
    shedUtilizationPercent: env.integer(
      'SHED_LOOP_UTILIZATION_PERCENT',
      'Event loop utilization in percent above which the limit is a quarter of MAX_REQUESTS_IN_FLIGHT; 100: never',
      { min: 1, max: 100, fallback: 99 },
    ),
    ...readTimeouts(env, root.group('Embedding')),
    shutdown: readShutdown(env),
  };
  if (bounds.requestSeconds < bounds.headersSeconds) {
    env.fail('REQUEST_TIMEOUT_SECONDS must not be less than HEADERS_TIMEOUT_SECONDS');
  }
  const { delaySeconds, forcedSeconds } = bounds.shutdown;
  if (forcedSeconds <= delaySeconds) {
    env.fail('SHUTDOWN_FORCED_SECONDS must be more than SHUTDOWN_DELAY_SECONDS');
  }
  return bounds;
}

export type ServerLimits = ReturnType<typeof readServerLimits>;
