import { callbackify } from 'node:util';
import { Client, type ClientConfig, Connection } from 'pg';
import { watchConnection } from './dead-connection-detector.js';
import { requestContext } from '../http/request-context.js';

/** What the typings of the package leave out. */
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

/** For the server to take note of a cancel, and then for the query to end of it. */
const CANCEL_MS = 2000;

/**
 * Asks the server to cancel what runs on this connection, over one of its own as the protocol wants it, and resolves
 * when that is over: a cancel that is still on its way could hit the next query.
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
 * A connection that gives up a query when the request that asked for it is given up. ROLLBACK always runs. COMMIT is
 * not cancelled once it was sent: while it waits for a standby, a cancel would make it count as done.
 */
export class CancellableClient extends Client {
  private readonly plainQuery: AnyQuery;
  /** One for all that was said at once: another could hit what is said next. */
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

  /** A connection that says nothing any more is closed, and the query fails. */
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
      // A server that does not even take a cancel is not there any more.
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
