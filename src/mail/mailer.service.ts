import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import { Config } from '../config/config.js';

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
export class Mailer implements OnApplicationShutdown {
  private readonly url?: string;
  private readonly from: string;
  private transport?: Promise<Transporter>;

  constructor({ mail }: Config) {
    this.from = mail.from;
    this.url = mail.smtpUrl;
  }

  get configured(): boolean {
    return this.url !== undefined;
  }

  /** Resolves when the server has taken the message; rejects with its answer. */
  async send({ messageId, ...message }: Message): Promise<void> {
    const transport = await this.opened();
    await transport?.sendMail({
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
    await (await this.opened())?.verify();
  }

  async onApplicationShutdown(): Promise<void> {
    (await this.transport)?.close();
  }

  /** With the package, for which no start shall wait. Undefined when no server is configured. */
  private opened(): Promise<Transporter> | undefined {
    const { url } = this;
    if (url === undefined) return undefined;
    this.transport ??= import('nodemailer').then(({ createTransport }) =>
      createTransport({
        url,
        pool: true,
        maxConnections: 2,
        connectionTimeout: 5000,
        greetingTimeout: 5000,
        socketTimeout: 20_000,
      }),
    );
    return this.transport;
  }
}

/** A 5xx of the SMTP server: trying again would be answered the same. */
export const isRefusedForGood = (error: unknown): boolean =>
  error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500;
