import { callbackify } from 'node:util';
import { Client, type ClientConfig, Connection } from 'pg';
import { watchConnection } from './dead-connection-detector.js';
import { requestContext } from '../http/request-context.js';

/** Members of `pg`'s connection that its typings omit. */
interface Wire {
  ssl: ClientConfig['ssl'];
  stream: { destroy(): void };
  connect(port: number | string, host?: string): void;
  cancel(processId: number, secretKey: number): void;
  requestSsl(): void;
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): void;
}

interface Session {
  connection: Wire;
  processID: number | null;
  secretKey: number | null;
}

type AnyQuery = (...args: unknown[]) => unknown;
type Callback = (error: unknown, result?: unknown) => void;

/** Time limit in milliseconds for the cancel request, and again for the cancelled query to end. */
const CANCEL_MS = 2000;

/**
 * Sends a cancel request for the running query on a separate connection, as the protocol requires, and resolves when
 * that connection has ended: a cancel request that is still in flight could hit the next query.
 */
function cancelRunning({ host, port }: Client, { connection, processID, secretKey }: Session): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { ssl } = connection;
  const wire = new Connection({ ssl }) as unknown as Wire;
  const timer = setTimeout(() => wire.stream.destroy(), CANCEL_MS);
  wire.on('error', () => wire.stream.destroy());
  wire.on('end', () => {
    clearTimeout(timer);
    resolve();
  });
  const send = (): void => wire.cancel(processID ?? 0, secretKey ?? 0);
  wire.on('connect', () => (ssl ? wire.requestSsl() : send()));
  wire.on('sslconnect', send);
  if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`);
  else wire.connect(port, host);
  return promise;
}

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');

const isStream = (query: unknown): boolean => typeof (query as { submit?: unknown }).submit === 'function';

/**
 * See docs/decisions/query-cancellation.md.
 *
 * A connection that cancels a query when its request is aborted. ROLLBACK always runs. COMMIT is not cancelled once
 * sent: while PostgreSQL waits for a synchronous standby, a cancel would make it report the commit as complete.
 */
export class CancellableClient extends Client {
  private readonly plainQuery: AnyQuery;
  /** Shared by all pipelined queries: a second cancel request could hit a later query. */
  private cancelling?: Promise<void>;

  constructor(config?: string | ClientConfig) {
    super(config);
    this.plainQuery = this.query.bind(this);
    this.query = ((...args: unknown[]) => this.boundQuery(args)) as Client['query'];
  }

  private boundQuery(args: unknown[]): unknown {
    const signal = requestContext()?.signal;
    const [query] = args;
    if (signal === undefined || isStream(query) || /^\s*ROLLBACK\b/i.test(textOf(query))) {
      return this.plainQuery(...args);
    }
    const callback = typeof args.at(-1) === 'function' ? (args.pop() as Callback) : undefined;
    const work = () => this.untilAborted(args, signal);
    return callback === undefined ? work() : callbackify(work)(callback);
  }

  /** Closes the connection when its server no longer responds, so that the query fails. */
  private async watched(args: unknown[]): Promise<unknown> {
    const { host, port, user, password, database, ssl } = this;
    const { stream } = (this as unknown as Session).connection;
    const over = watchConnection({ host, port, user, password, database, ssl }, () => stream.destroy());
    try {
      return await this.plainQuery(...args);
    } finally {
      over();
    }
  }

  private async untilAborted(args: unknown[], signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    if (/^\s*COMMIT\b/i.test(textOf(args[0]))) return this.watched(args);
    let cancelled: Promise<void> | undefined;
    let isOver = false;
    const onAbort = (): void => {
      const session = this as unknown as Session;
      this.cancelling ??= cancelRunning(this, session).finally(() => (this.cancelling = undefined));
      cancelled = this.cancelling;
      // A server that does not react to a cancel request either is unreachable.
      setTimeout(() => isOver || session.connection.stream.destroy(), 2 * CANCEL_MS).unref();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await this.watched(args);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      isOver = true;
      signal.removeEventListener('abort', onAbort);
      await cancelled;
    }
  }
}
