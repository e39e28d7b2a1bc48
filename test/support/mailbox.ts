import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { until } from './until.js';

export interface Mailbox {
  url: string;
  mails: Email[];
  /** Waits for the newest mail to this address and gives the secret of the link in it. */
  secretFor(email: string): Promise<string>;
  close(): Promise<void>;
}

/** A real SMTP server that keeps what it is given. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Email[] = [];
  const keep = async (raw: Buffer): Promise<void> => {
    mails.push(await PostalMime.parse(raw));
  };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        void keep(Buffer.concat(chunks)).finally(() => done());
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    secretFor: async (email) => {
      const mail = await until(() =>
        mails.findLast(({ to }) => to?.some(({ address }) => address === email)),
      );
      return /#token=([\w-]+)/.exec(mail.text ?? '')?.[1] ?? '';
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
