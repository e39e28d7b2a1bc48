import { Client, type ClientConfig, DatabaseError } from 'pg';

const POLL_INTERVAL_MS = 100;
/** Longer than an ordinary query takes; a query that runs longer triggers probes of the server. */
const PATIENCE_MS = 1000;
const PROBE_MS = 1000;

interface Waiting {
  since: number;
  server: ClientConfig;
  giveUp: () => void;
}

/** In start order. */
const waiting = new Set<Waiting>();
let timer: NodeJS.Timeout | undefined;
let probing = false;

/** Whether the server responds on a new connection. An error from PostgreSQL counts as a response. */
async function isResponsive(server: ClientConfig): Promise<boolean> {
  const probe = new Client({ ...server, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS });
  probe.on('error', () => undefined);
  try {
    await probe.connect();
    await probe.query('SELECT 1');
    return true;
  } catch (error) {
    return error instanceof DatabaseError;
  } finally {
    probe.end().catch(() => undefined);
  }
}

async function probe(): Promise<void> {
  const [first] = waiting;
  if (first === undefined) {
    clearInterval(timer);
    timer = undefined;
    return;
  }
  const now = performance.now();
  if (probing || now - first.since < PATIENCE_MS) return;
  probing = true;
  const isThere = await isResponsive(first.server);
  probing = false;
  if (isThere) return;
  for (const each of waiting) if (each.since <= now) each.giveUp();
}

/**
 * Watches a running query. When a network fails silently, a query gets no response until its request is aborted. If a
 * new connection gets no response either, `giveUp` is called, about two seconds after the query began. Returns a
 * function that ends the watch.
 */
export function watchConnection(server: ClientConfig, giveUp: () => void): () => void {
  const each = { since: performance.now(), server, giveUp };
  waiting.add(each);
  timer ??= setInterval(() => void probe(), POLL_INTERVAL_MS).unref();
  return () => {
    waiting.delete(each);
  };
}
