import type { EmailContent } from '../../platform/mail/email-template.js';
import type { MailReader } from '../../platform/mail/mail-reader.js';

export const emailChangedEmail = (
  { t, product, publicUrl, time }: MailReader,
  { name, changedAt }: { name: string; changedAt: Date },
): EmailContent => ({
  subject: t('Your email address was changed'),
  paragraphs: [
    t('Hello {{name}},', { name }),
    t(
      'The email address of your account on {{product}} was changed on {{time}}. Sign in with the new address.',
      {
        product,
        time: time(changedAt),
      },
    ),
  ],
  action: t('Open {{product}}', { product }),
  link: publicUrl,
  closing: t('If you do not expect this change, contact your administrator immediately.'),
});
