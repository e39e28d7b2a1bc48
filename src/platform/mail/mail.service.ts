import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import type { CurrentBranding } from '../branding/branding.queries.js';
import { CurrentBrandingService } from '../branding/current-branding.service.js';
import { defaultBranding } from '../branding/default-branding.js';
import { Config } from '../../core/config/config.js';
import { emit } from '../../core/telemetry/telemetry-events.js';
import type { Locale } from '../../core/locales.js';
import { type EmailContent, renderEmail } from './email-template.js';
import { type MailReader, mailReader } from './mail-reader.js';

/** What a person chose; null: `DEFAULT_LOCALE` and UTC. */
interface MailPreferences {
  locale: Locale | null;
  timeZone: string | null;
}

interface Envelope {
  /** Identical on each retry, so that duplicates can be recognized. */
  messageId: string;
  to: string;
  /** Of the recipient; null for an address without an account. */
  preferences: MailPreferences | null;
}

/** Mail clients show no other formats. */
const mailFormats = new Set(['image/png', 'image/jpeg']);

/**
 * Sends mail over SMTP, in the language and time zone of its recipient. Slow and fallible: called only by jobs, never during a
 * request.
 */
@Injectable()
export class MailService implements OnApplicationShutdown {
  private readonly logger = new Logger(MailService.name);
  /** Undefined when no server is configured. */
  private readonly transport?: Transporter;

  constructor(
    private readonly config: Config,
    private readonly branding: CurrentBrandingService,
  ) {
    const { smtpUrl } = config.mail;
    if (smtpUrl !== undefined) this.transport = openTransport(smtpUrl);
  }

  get configured(): boolean {
    return this.transport !== undefined;
  }

  /** Resolves when the server has accepted the message; rejects with its response, and when no server is configured. */
  async send(
    { messageId, to, preferences }: Envelope,
    compose: (reader: MailReader) => EmailContent,
  ): Promise<void> {
    if (this.transport === undefined) throw new Error('SMTP_URL is not set');
    const { http, mail } = this.config;
    const brand = brandOf(await this.branding.get());
    const language = preferences?.locale ?? mail.defaultLocale;
    const names = { product: brand.productName, publicUrl: http.publicUrl };
    const content = compose(mailReader(language, preferences?.timeZone ?? 'UTC', names));
    await this.attempt(this.transport, {
      from: brand.senderName === null ? mail.from : { name: brand.senderName, address: addressOf(mail.from) },
      to,
      ...renderEmail(content, language, brand),
      // Attached, because mail clients block remote images and those tell the server who reads.
      attachments: brand.logo && [brand.logo],
      messageId: `<${messageId}@vitrine>`,
      // Quoted-printable keeps long links intact and readable.
      textEncoding: 'quoted-printable',
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  private async attempt(transport: Transporter, mail: SendMailOptions): Promise<void> {
    try {
      await transport.sendMail(mail);
    } catch (error) {
      const outcome = isPermanentFailure(error) ? 'rejected' : 'failed';
      emit('mail_attempted', { outcome });
      // Without the text of the response, which can contain the address.
      const { responseCode } = error as { responseCode?: unknown };
      if (outcome === 'rejected')
        this.logger.warn({ msg: 'mail rejected', messageId: mail.messageId, responseCode });
      throw error;
    }
    emit('mail_attempted', { outcome: 'sent' });
  }

  /**
   * The same, but resolves without a mail server, as jobs outlast its removal, and after a permanent rejection: a retry would
   * fail in the same way.
   */
  async sendOrDrop(envelope: Envelope, compose: (reader: MailReader) => EmailContent): Promise<void> {
    if (!this.configured) return;
    try {
      await this.send(envelope, compose);
    } catch (error) {
      if (!isPermanentFailure(error)) throw error;
    }
  }

  /** Checks the connection to the SMTP server; rejects with the reason if it fails. */
  async verify(): Promise<void> {
    await this.transport?.verify();
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

function brandOf({ settings, images }: CurrentBranding) {
  const logo = [images.get('logo')].find((image) => mailFormats.has(image?.mediaType ?? ''));
  return {
    productName: settings.productName ?? defaultBranding.productName,
    color: settings.primaryColor ?? defaultBranding.primaryColor,
    senderName: settings.senderName,
    logo: logo && {
      cid: 'logo@vitrine',
      content: logo.content,
      contentType: logo.mediaType,
      contentDisposition: 'inline' as const,
    },
  };
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
