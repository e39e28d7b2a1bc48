import { Injectable, Logger } from '@nestjs/common';
import { CurrentBrandingService } from '../branding/current-branding.service.js';
import { Config } from '../../core/config/config.js';
import type { Locale } from '../../core/locales.js';
import { type EmailContent, renderEmail } from './email-template.js';
import { type MailReader, mailReader } from './mail-reader.js';
import { isPermanentFailure, MailerService } from './mailer.service.js';

/** What a person chose; null: `DEFAULT_LOCALE` and UTC. */
export interface MailPreferences {
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

/** Sends mail in the language and time zone of its recipient. Called only by jobs. */
@Injectable()
export class LocalizedMailService {
  private readonly logger = new Logger(LocalizedMailService.name);

  constructor(
    private readonly config: Config,
    private readonly mailer: MailerService,
    private readonly branding: CurrentBrandingService,
  ) {}

  get configured(): boolean {
    return this.mailer.configured;
  }

  /** Resolves when the server has accepted the message; rejects with its response. */
  async send(
    { messageId, to, preferences }: Envelope,
    compose: (reader: MailReader) => EmailContent,
  ): Promise<void> {
    const { http, mail } = this.config;
    const language = preferences?.locale ?? mail.defaultLocale;
    const names = { product: await this.branding.productName(), publicUrl: http.publicUrl };
    const reader = mailReader(language, preferences?.timeZone ?? 'UTC', names);
    await this.mailer.send({ messageId, to, ...renderEmail({ language, ...compose(reader) }) });
  }

  /** The same, but logs a permanent rejection and resolves, because a retry would fail in the same way. */
  async sendOrDrop(envelope: Envelope, compose: (reader: MailReader) => EmailContent): Promise<void> {
    try {
      await this.send(envelope, compose);
    } catch (error) {
      if (!isPermanentFailure(error)) throw error;
      // Without the text of the response, which can contain the address.
      const { responseCode } = error;
      this.logger.warn({ msg: 'mail rejected', messageId: envelope.messageId, responseCode });
    }
  }
}
