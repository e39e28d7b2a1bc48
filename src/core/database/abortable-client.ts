import { Socket } from 'node:net';
import { Client, type ClientConfig, DatabaseError } from 'pg';
import { type RequestContext, requestContext } from '../http/request-context.js';
import { asConnectionError } from '../problems/database-problem.js';
import { checkClient } from './check-client.js';

/** Interval of the checks of a running query. A query whose request is aborted has until the next one to finish. */
const CHECK_MS = 250;
/** Longer than an ordinary query takes: a query that runs longer triggers probes of the server. */
const PATIENCE_MS = 1000;
/** Time limit of a probe, and the time for which its result is used. */
const PROBE_MS = 1000;

/** Starting a transaction waits for nothing: a server that has not responded by then has lost this connection. */
const START_MS = 10_000;
/** A server that has not responded so long after PostgreSQL would have ended the statement has lost its connection. */
const SPARE_MS = 5000;

/** The latest probe for each server, role and session options. */
const probes = new Map<string, Promise<number | undefined>>();

/**
 * The `statement_timeout` of a new connection in milliseconds, 0 without one; undefined if the server does not respond. An error
 * from PostgreSQL counts as a response, of which no timeout is known.
 */
async function probe(config: ClientConfig): Promise<number | undefined> {
  const client = checkClient({ ...config, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ ms: number }>(
      `SELECT setting::int AS ms FROM pg_settings WHERE name = 'statement_timeout'`,
    );
    return rows[0]?.ms ?? 0;
  } catch (error) {
    return error instanceof DatabaseError ? 0 : undefined;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** Probes the server at most once per second, however many queries run. */
function latestProbe(server: string, config: ClientConfig): Promise<number | undefined> {
  const latest = probes.get(server);
  if (latest !== undefined) return latest;
  const next = probe(config);
  probes.set(server, next);
  setTimeout(() => probes.delete(server), PROBE_MS).unref();
  return next;
}

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');

type Query = (...args: unknown[]) => unknown;
type Connect = (callback?: (error: unknown, client: unknown) => void) => unknown;

/**
 * See docs/decisions/query-cancellation.md. Its errors count as errors of the database (`databaseProblem`).
 *
 * A connection that closes itself while it runs a query of a request, if the request is aborted or the server no longer
 * responds; the pool then replaces it, and PostgreSQL ends the query and rolls back. A COMMIT that was sent is closed
 * only if the server does not respond. Without a deadline it closes itself while it runs a statement outside a transaction, if
 * the server has lost the connection.
 */
export class AbortableClient extends Client {
  private readonly config: ClientConfig;
  private readonly socket: Socket;

  constructor(config: ClientConfig = {}) {
    const socket = new Socket();
    // The pool makes the password non-enumerable, so that the spread does not include it.
    const complete = { ...config, password: config.password };
    super({ ...complete, stream: () => socket });
    this.config = complete;
    this.socket = socket;
    // The pool and its users listen only from their next step on: an error that arrives with the end of the handshake would
    // end the process. Queries of a lost connection fail, and the pool removes it.
    this.on('error', () => undefined);
    const query: Query = this.query.bind(this);
    this.query = ((...args: unknown[]) => this.boundQuery(query, args)) as Client['query'];
    const connect = this.connect.bind(this) as Connect;
    this.connect = ((callback?: Parameters<Connect>[0]) =>
      callback === undefined
        ? this.marked(connect())
        : connect((error, client) => callback(asConnectionError(error), client))) as Client['connect'];
  }

  private async marked(result: unknown): Promise<unknown> {
    try {
      return await result;
    } catch (error) {
      throw asConnectionError(error);
    }
  }

  private boundQuery(query: Query, args: unknown[]): unknown {
    // With a callback, no promise reports the end of the query; the service does not use callbacks.
    if (typeof args.at(-1) === 'function') return query(...args);
    return this.supervised(() => query(...args), textOf(args[0]), requestContext());
  }

  /** After the abort only ROLLBACK is sent. */
  private async supervised(run: () => unknown, text: string, context?: RequestContext): Promise<unknown> {
    const signal = context?.signal;
    if (!/^\s*ROLLBACK\b/i.test(text)) signal?.throwIfAborted();
    const isCommit = /^\s*COMMIT\b/i.test(text);
    const startedAt = performance.now();
    let isRunning = true;
    const isOver = async (): Promise<boolean> => {
      if (signal?.aborted === true && !isCommit) return true;
      const ms = performance.now() - startedAt;
      if (context !== undefined && ms >= PATIENCE_MS && (await this.probed()) === undefined) return true;
      return signal === undefined && this.isLost(text, ms);
    };
    const check = async (): Promise<void> => {
      if ((await isOver()) && isRunning) this.socket.destroy();
    };
    const timer = setInterval(() => void check(), CHECK_MS);
    try {
      return await run();
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : asConnectionError(error);
    } finally {
      isRunning = false;
      clearInterval(timer);
    }
  }

  /** Whether PostgreSQL would have responded to this statement by now. Inside a transaction it is not known. */
  private async isLost(text: string, ms: number): Promise<boolean> {
    if (this.getTransactionStatus() !== 'I') return false;
    if (/^\s*START TRANSACTION\b/i.test(text)) return ms >= START_MS;
    if (ms < SPARE_MS) return false;
    const timeout = (await this.probed()) ?? 0;
    return timeout > 0 && ms >= timeout + SPARE_MS;
  }

  /** See `probe`. */
  private probed(): Promise<number | undefined> {
    const { host, port, database, user, config } = this;
    return latestProbe([host, port, database, user, config.options].join(' '), config);
  }
}
