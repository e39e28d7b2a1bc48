import { setTimeout as sleep } from 'node:timers/promises';
import type { PgMessage } from './pg-messages.js';

/** Faults of a connection, in both directions unless stated otherwise. */
export interface Toxics {
  /** Milliseconds of delay for each chunk. */
  latency?: number;
  /** Bytes a second. */
  bandwidth?: number;
  /** Milliseconds of delay for a close. */
  slowClose?: number;
  /** No data passes; the connection closes after these milliseconds (0: never). */
  timeout?: number;
  /** Milliseconds until the connection is reset. */
  resetPeer?: number;
  /** Size of the chunks in bytes. */
  slicer?: number;
  /** Closes after this many bytes from the server. */
  limitData?: number;
  /** Closes at every n-th matching message of the client. */
  cut?: Cut;
}

export interface Cut {
  fits: (message: PgMessage) => boolean;
  every: number;
  /** `before`: the server does not receive it; `after`: the server executes it, and the response is lost. */
  side: 'before' | 'after';
}

export const piecesOf = (bytes: Buffer, { slicer = bytes.length }: Toxics): Buffer[] => {
  const size = Math.max(1, slicer);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
};

/** Waits for the delay of this chunk. */
export async function delay(piece: Buffer, { latency = 0, bandwidth }: Toxics): Promise<void> {
  const pace = bandwidth === undefined ? 0 : (piece.length / bandwidth) * 1000;
  if (latency + pace > 0) await sleep(latency + pace);
}
