import type { EmailContent } from '../../platform/mail/email-template.js';
import type { MailReader } from '../../platform/mail/mail-reader.js';
import type { DisabledReason } from './webhook.entity.js';

interface DisabledMail {
  reason: DisabledReason;
  host: string;
  since: Date;
  /** The recipient's name. */
  name: string;
}

/** To each admin. */
export function disabledEmail(
  { t, time, product, publicUrl }: MailReader,
  { reason, host, since, name }: DisabledMail,
): EmailContent {
  return {
    subject: t('The webhook to {{host}} is disabled', { host }),
    paragraphs: [
      t('Hello {{name}},', { name }),
      reason === 'gone'
        ? t(
            '{{product}} disabled the webhook to {{host}}, because the receiver reported that it no longer exists (410).',
            { product, host },
          )
        : t(
            '{{product}} disabled the webhook to {{host}}, because every delivery has failed since {{since}}.',
            {
              product,
              host,
              since: time(since),
            },
          ),
      t(
        'When you enable it, the events that were not delivered are delivered in order. Events are kept for 30 days.',
      ),
    ],
    action: t('Review webhooks'),
    link: `${publicUrl}/settings/webhooks`,
    closing: t('You received this email because you administer {{product}}.', { product }),
  };
}
