import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { Config } from '../core/config/config.js';

interface Message {
  /** Identical on each retry, so that duplicates can be recognized. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends mail over SMTP. Slow and fallible: called only by jobs, never during a request. */
@Injectable()
export class MailerService implements OnApplicationShutdown {
  private readonly from: string;
  /** Undefined when no server is configured. */
  private readonly transport?: Transporter;

  constructor({ mail }: Config) {
    this.from = mail.from;
    if (mail.smtpUrl !== undefined) this.transport = openTransport(mail.smtpUrl);
  }

  get configured(): boolean {
    return this.transport !== undefined;
  }

  /** Resolves when the server has accepted the message; rejects with its response. */
  async send({ messageId, ...message }: Message): Promise<void> {
    await this.transport?.sendMail({
      from: this.from,
      ...message,
      messageId: `<${messageId}@vitrine>`,
      // Quoted-printable keeps long links intact and readable.
      textEncoding: 'quoted-printable',
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Checks the connection to the SMTP server; rejects with the reason if it fails. */
  async verify(): Promise<void> {
    await this.transport?.verify();
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

/** Connects when the first message is sent. */
const openTransport = (url: string): Transporter =>
  createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 20_000,
  });

/** A 5xx response of the SMTP server: a retry would fail in the same way. */
export const isPermanentFailure = (error: unknown): boolean =>
  error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500;
