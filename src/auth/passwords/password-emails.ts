import type { EmailContent } from '../../platform/mail/email-template.js';
import type { MailReader } from '../../platform/mail/mail-reader.js';

/** The secret is in the URL fragment, which is never sent to a server, neither in a request nor as Referer. */
export const resetEmail = ({ t, product, publicUrl }: MailReader, secret: string): EmailContent => ({
  subject: t('Reset your password for {{product}}', { product }),
  paragraphs: [
    t('Hello,'),
    t('A password reset was requested for your account on {{product}}.', { product }),
  ],
  action: t('Reset password'),
  link: `${publicUrl}/password-reset#token=${secret}`,
  closing: t(
    'The link can be used once and expires in 30 minutes. If you did not request a password reset, you can ignore this email.',
  ),
});

export const changedEmail = (
  { t, product, publicUrl, time }: MailReader,
  { name, changedAt }: { name: string; changedAt: Date },
): EmailContent => ({
  subject: t('Your password was changed'),
  paragraphs: [
    t('Hello {{name}},', { name }),
    t('The password for your account on {{product}} was changed on {{time}}.', {
      product,
      time: time(changedAt),
    }),
  ],
  action: t('Reset password'),
  link: `${publicUrl}/password-reset`,
  closing: t(
    'If you made this change, no action is required. If you did not, reset your password immediately.',
  ),
});
