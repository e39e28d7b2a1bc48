import type { Environment } from './environment.js';

function readTimeouts(env: Environment, embedding: Environment) {
  const seconds = (name: string, about: string, fallback: number, max: number) =>
    env.integer(name, about, { min: 1, max, fallback });
  return {
    headersSeconds: seconds(
      'HEADERS_TIMEOUT_SECONDS',
      'Seconds within which the headers of a request must arrive',
      10,
      60,
    ),
    requestSeconds: seconds(
      'REQUEST_TIMEOUT_SECONDS',
      'Seconds within which a whole request must arrive; no less than its headers may take',
      30,
      300,
    ),
    keepAliveSeconds: seconds(
      'KEEP_ALIVE_SECONDS',
      'Seconds for which an idle connection is kept: longer than the balancer keeps its own',
      65,
      3600,
    ),
    stalledSeconds: seconds(
      'STALLED_READER_SECONDS',
      'Seconds after which a caller that reads nothing of its answer is cut off',
      30,
      300,
    ),
    deadlineSeconds: seconds(
      'REQUEST_DEADLINE_SECONDS',
      'Seconds of work after which a request is given up and its query cancelled',
      15,
      60,
    ),
    embedDeadlineSeconds: embedding.integer(
      'EMBED_DEADLINE_SECONDS',
      'Seconds of work after which a request for an embed token is given up',
      { min: 1, max: 60, fallback: 12 },
    ),
  };
}

function readShutdown(env: Environment) {
  return {
    delaySeconds: env.integer(
      'SHUTDOWN_DELAY_SECONDS',
      'Seconds for which a replica that was told to stop goes on serving, so that balancers can look away',
      { min: 0, max: 60, fallback: 5 },
    ),
    drainSeconds: env.integer('SHUTDOWN_DRAIN_SECONDS', 'Seconds that requests at work then have to end', {
      min: 0,
      max: 60,
      fallback: 15,
    }),
    forcedSeconds: env.integer(
      'SHUTDOWN_FORCED_SECONDS',
      'Seconds after which a replica that was told to stop ends, whatever hangs; less than what the orchestrator waits',
      { min: 1, max: 300, fallback: 25 },
    ),
  };
}

/** Load, timeout and shutdown limits of one replica. */
export function readServerLimits(root: Environment) {
  const env = root.group('What one replica takes on');
  const bounds = {
    maxConnections: env.integer('MAX_CONNECTIONS', 'Connections that are open at once; more are closed', {
      min: 10,
      max: 100_000,
      fallback: 2000,
    }),
    maxInFlight: env.integer(
      'MAX_REQUESTS_IN_FLIGHT',
      'Requests at work at once; more are answered 503 `overloaded`',
      { min: 1, max: 10_000, fallback: 256 },
    ),
    shedDelayMs: env.integer(
      'SHED_LOOP_DELAY_MS',
      'Delay of the event loop above which every request is answered 503 `overloaded`; 0: never',
      { min: 0, max: 60_000, fallback: 500 },
    ),
    shedUtilizationPercent: env.integer(
      'SHED_LOOP_UTILIZATION_PERCENT',
      'Utilisation of the event loop above which only a quarter of MAX_REQUESTS_IN_FLIGHT is taken on; 100: never',
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
