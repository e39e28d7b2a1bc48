import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface Mail {
  at: number;
  to: string;
  messageId: string;
  /** The secret in its link. */
  token: string | null;
}

/** `busy` 421, `refuse` 550, `hang` no reply, `lose` accepts the message and closes without a reply. */
export type MailFailure = 'none' | 'busy' | 'refuse' | 'hang' | 'lose';

/** An SMTP server that stores messages, with configurable failures. */
export class MailSink {
  readonly mails: Mail[] = [];
  failure: MailFailure = 'none';

  private constructor(private readonly server: SMTPServer) {}

  static async start(): Promise<MailSink> {
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      logger: false,
      onRcptTo: (_address, _session, done) => sink.respond(done),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => void sink.store(Buffer.concat(chunks), session.id, done));
      },
    });
    const sink = new MailSink(server);
    server.on('error', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    return sink;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  tokenFor(email: string): string | undefined {
    return this.mails.findLast(({ to }) => to === email)?.token ?? undefined;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private respond(done: (error?: Error | null) => void): void {
    if (this.failure === 'hang') return;
    const codes: Partial<Record<MailFailure, number>> = { busy: 421, refuse: 550 };
    const responseCode = codes[this.failure];
    done(responseCode === undefined ? null : Object.assign(new Error('not now'), { responseCode }));
  }

  private async store(bytes: Buffer, session: string, done: () => void): Promise<void> {
    const { to, messageId = '', text = '' } = await PostalMime.parse(bytes);
    const token = /#token=([\w-]+)/.exec(text)?.[1] ?? null;
    this.mails.push({ at: Date.now(), to: to?.[0]?.address ?? '', messageId, token });
    if (this.failure !== 'lose') return done();
    for (const connection of this.server.connections as Set<{ id: string; close: () => void }>) {
      if (connection.id === session) connection.close();
    }
  }
}
