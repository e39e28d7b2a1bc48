export interface PgMessage {
  /** One letter; empty for startup messages. */
  type: string;
  body: Buffer;
}

const SSL_REQUEST = 80_877_103;

/** Parses the bytes of a PostgreSQL client into protocol messages. */
export class PgMessages {
  private rest: Buffer = Buffer.alloc(0);
  private isOpen = false;

  feed(bytes: Buffer): PgMessage[] {
    this.rest = Buffer.concat([this.rest, bytes]);
    const found: PgMessage[] = [];
    for (let next = this.take(); next !== undefined; next = this.take()) found.push(next);
    return found;
  }

  private take(): PgMessage | undefined {
    const offset = this.isOpen ? 1 : 0;
    if (this.rest.length < offset + 4) return undefined;
    const length = offset + this.rest.readUInt32BE(offset);
    if (this.rest.length < length) return undefined;
    const type = this.rest.toString('latin1', 0, offset);
    const body = this.rest.subarray(offset + 4, length);
    this.rest = this.rest.subarray(length);
    if (!this.isOpen) this.isOpen = body.length !== 4 || body.readUInt32BE(0) !== SSL_REQUEST;
    return { type, body };
  }
}

/** A simple query that commits. */
export const isCommit = ({ type, body }: PgMessage): boolean =>
  type === 'Q' && body.toString() === 'COMMIT\0';
