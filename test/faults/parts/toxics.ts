import { setTimeout as sleep } from 'node:timers/promises';
import type { PgMessage } from './pg-messages.js';

/** What a line does to the bytes that pass, in both directions unless it says otherwise. */
export interface Toxics {
  /** Milliseconds that each piece waits. */
  latency?: number;
  /** Bytes a second. */
  bandwidth?: number;
  /** Milliseconds for which a close is kept back. */
  slowClose?: number;
  /** Nothing passes; after so many milliseconds the line closes (0: never). */
  timeout?: number;
  /** Milliseconds until the line is reset. */
  resetPeer?: number;
  /** Pieces of so many bytes. */
  slicer?: number;
  /** Closes after so many bytes of an answer. */
  limitData?: number;
  /** Closes around each n-th message of the client that fits. */
  cut?: Cut;
}

export interface Cut {
  fits: (message: PgMessage) => boolean;
  every: number;
  /** `before`: the server never gets it; `after`: the server does it and nobody hears. */
  side: 'before' | 'after';
}

export const piecesOf = (bytes: Buffer, { slicer = bytes.length }: Toxics): Buffer[] => {
  const size = Math.max(1, slicer);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
};

/** Waits as long as the line holds this piece back. */
export async function holdBack(piece: Buffer, { latency = 0, bandwidth }: Toxics): Promise<void> {
  const pace = bandwidth === undefined ? 0 : (piece.length / bandwidth) * 1000;
  if (latency + pace > 0) await sleep(latency + pace);
}
