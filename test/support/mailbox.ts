import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { until } from './until.js';

interface Refusal {
  responseCode: number;
  message: string;
  /** What is refused; the recipient by default. */
  of?: 'sender' | 'recipient';
}

export interface Mailbox {
  url: string;
  /** Rejects every mail with this reply; accepts mail again without an argument. */
  refuseWith: (refusal?: Refusal) => void;
  /** The raw messages received so far. */
  mails: Buffer[];
  /** All mails to this address so far, the oldest first. */
  mailsTo(email: string): Promise<Email[]>;
  /** The newest mail to this address; waits for one. */
  mailTo(email: string): Promise<Email>;
  /** Waits for the newest mail to this address and gives the secret of the link in it. */
  secretFor(email: string): Promise<string>;
  /** Waits for a later link than this one. */
  nextSecretFor(email: string, older: string): Promise<string>;
  close(): Promise<void>;
}

/** An SMTP server that stores its messages. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Buffer[] = [];
  let refusal: Refusal | undefined;
  const refusalOf = (of: Refusal['of']): Error | null =>
    refusal === undefined || (refusal.of ?? 'recipient') !== of
      ? null
      : Object.assign(new Error(refusal.message), { responseCode: refusal.responseCode });
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onMailFrom: (_address, _session, done) => done(refusalOf('sender')),
    onRcptTo: (_address, _session, done) => done(refusalOf('recipient')),
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mailsTo = async (email: string): Promise<Email[]> => {
    const parsed = await Promise.all(mails.map((mail) => PostalMime.parse(mail)));
    return parsed.filter(({ to }) => to?.some(({ address }) => address === email));
  };
  const mailTo = (email: string): Promise<Email> => until(async () => (await mailsTo(email)).at(-1));
  const secretFor = async (email: string): Promise<string> =>
    /#token=([\w-]+)/.exec((await mailTo(email)).text ?? '')?.[1] ?? '';
  const { port } = server.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    refuseWith: (given) => {
      refusal = given;
    },
    mails,
    mailsTo,
    mailTo,
    secretFor,
    nextSecretFor: (email, older) =>
      until(async () => {
        const secret = await secretFor(email);
        return secret !== older && secret;
      }),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
