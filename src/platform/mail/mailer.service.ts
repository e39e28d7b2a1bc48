import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { CurrentBrandingService } from '../branding/current-branding.service.js';
import { defaultBranding } from '../branding/default-branding.js';
import { Config } from '../../core/config/config.js';
import type { RenderedEmail } from './email-template.js';

interface Message extends RenderedEmail {
  /** Identical on each retry, so that duplicates can be recognized. */
  messageId: string;
  to: string;
}

const LOGO_ID = 'logo@vitrine';
/** Mail clients show no other formats. */
const mailFormats = new Set(['image/png', 'image/jpeg']);

/** Sends mail over SMTP. Slow and fallible: called only by jobs, never during a request. */
@Injectable()
export class MailerService implements OnApplicationShutdown {
  private readonly from: string;
  /** Undefined when no server is configured. */
  private readonly transport?: Transporter;

  constructor(
    { mail }: Config,
    private readonly branding: CurrentBrandingService,
  ) {
    this.from = mail.from;
    if (mail.smtpUrl !== undefined) this.transport = openTransport(mail.smtpUrl);
  }

  get configured(): boolean {
    return this.transport !== undefined;
  }

  /** Resolves when the server has accepted the message; rejects with its response. */
  async send({ messageId, to, subject, text, html }: Message): Promise<void> {
    const { settings, images } = await this.branding.get();
    const logo = [images.get('logo')].find((image) => mailFormats.has(image?.mediaType ?? ''));
    await this.transport?.sendMail({
      from:
        settings.senderName === null
          ? this.from
          : { name: settings.senderName, address: addressOf(this.from) },
      to,
      subject,
      text,
      html: html({
        productName: settings.productName ?? defaultBranding.productName,
        color: settings.primaryColor ?? defaultBranding.primaryColor,
        ...(logo !== undefined && { logo: LOGO_ID }),
      }),
      // Attached, because mail clients block remote images and those tell the server who reads.
      attachments: logo && [
        { cid: LOGO_ID, content: logo.content, contentType: logo.mediaType, contentDisposition: 'inline' },
      ],
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

/** The address of `Name <address>`. */
const addressOf = (sender: string): string => /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender.trim();

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

/** The commands of SMTP whose responses are about one mail; those before are about the service and its sender. */
const aboutMail = new Set<unknown>(['RCPT TO', 'DATA']);

/** A 5xx response of the SMTP server to this mail: a retry would fail in the same way. */
export const isPermanentFailure = (error: unknown): error is Error & { responseCode: unknown } =>
  error instanceof Error &&
  'responseCode' in error &&
  Number(error.responseCode) >= 500 &&
  'command' in error &&
  aboutMail.has(error.command);
