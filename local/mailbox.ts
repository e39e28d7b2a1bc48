import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

const largestMail = 10_000_000;

/** File names sort by arrival and contain the recipient. */
function nameFor(recipient: string, count: number): string {
  const at = new Date().toISOString().replaceAll(':', '-');
  return `${at}-${String(count).padStart(4, '0')}-${recipient.replaceAll(/[^\w.@-]/g, '_').slice(0, 80)}.eml`;
}

/** Writes the file completely and syncs it before it gets its name, because the SMTP reply confirms storage. */
async function store(file: string, mail: Buffer): Promise<void> {
  const draft = await open(`${file}.new`, 'w', 0o600);
  try {
    await draft.writeFile(mail);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${file}.new`, file);
}

async function announce(mail: Buffer, file: string, log: (line: string) => void): Promise<void> {
  const { subject, text, html, to } = await PostalMime.parse(mail);
  log(`Mail to ${to?.map(({ address }) => address).join(', ')}: ${subject} (${file})`);
  const links = `${text ?? ''}\n${html ?? ''}`.match(/https?:\/\/[^\s"'<>)\]]+/g) ?? [];
  for (const link of new Set(links)) log(`  ${link}`);
}

/** Starts an SMTP server on loopback that stores each message as a file and prints its links. Returns its URL. */
export async function startMailbox(
  folder: string,
  parts: AsyncDisposableStack,
  log: (line: string) => void,
): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let count = 0;
  const receive = async (stream: Readable, recipient: string | undefined) => {
    const mail = await buffer(stream);
    const file = join(folder, nameFor(recipient ?? 'nobody', (count += 1)));
    await store(file, mail);
    await announce(mail, file, log);
  };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: largestMail,
    onData: (stream, { envelope }, done) => {
      callbackify(receive)(stream, envelope.rcptTo[0]?.address, done);
    },
  });
  server.on('error', (error) => log(`Mailbox: ${error.message}`));
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  parts.defer(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}
