import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { Config } from '../core/config/config.js';

export interface Message {
  /** Stays the same when a mail is tried again, so that a reader can tell. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends mail over SMTP. Slow and fallible: only jobs call it, never a request. */
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

  /** Resolves when the server has taken the message; rejects with its answer. */
  async send({ messageId, ...message }: Message): Promise<void> {
    await this.transport?.sendMail({
      from: this.from,
      ...message,
      messageId: `<${messageId}@vitrine>`,
      // Quoted-printable: long links stay whole and readable.
      textEncoding: 'quoted-printable',
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Whether the SMTP server answers; rejects with the reason when it does not. */
  async verify(): Promise<void> {
    await this.transport?.verify();
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

/** Connects with the first message. */
const openTransport = (url: string): Transporter =>
  createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 20_000,
  });

/** A 5xx of the SMTP server: trying again would be answered the same. */
export const isPermanentFailure = (error: unknown): boolean =>
  error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500;
