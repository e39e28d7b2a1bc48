import type { EmailContent } from '../mail/email-template.js';
import type { MailReader } from '../mail/mail-reader.js';

export interface InvitationMail {
  /** The recipient's name. */
  name: string | null;
  inviter: string | null;
  /** Names of the workspaces and reports. */
  targets: readonly string[];
  expiresAt: Date;
}

const MAX_TARGETS = 3;

const greetingFor = ({ t }: MailReader, name: string | null): string =>
  name === null ? t('Hello,') : t('Hello {{name}},', { name });

/** `Sales`, `Sales and Finance` or `Sales, Finance, Budget and 4 more`. */
function namesOf({ t, list }: MailReader, targets: readonly string[]): string {
  // One more name takes no more space than its number.
  if (targets.length <= MAX_TARGETS + 1) return list(targets);
  const number = targets.length - MAX_TARGETS;
  return list([...targets.slice(0, MAX_TARGETS), t('{{number}} more', { number })]);
}

/** `Mona invited you to Sales on Contoso Reports`, as far as it is known. */
function invited(reader: MailReader, { inviter, targets }: InvitationMail): string {
  const { t, product } = reader;
  const values = { inviter, target: namesOf(reader, targets), product };
  if (targets.length === 0)
    return inviter === null
      ? t('You were invited to {{product}}', values)
      : t('{{inviter}} invited you to {{product}}', values);
  return inviter === null
    ? t('You were invited to {{target}} on {{product}}', values)
    : t('{{inviter}} invited you to {{target}} on {{product}}', values);
}

export const linkEmail = (reader: MailReader, mail: InvitationMail, link: string): EmailContent => ({
  subject: invited(reader, mail),
  paragraphs: [
    greetingFor(reader, mail.name),
    `${invited(reader, mail)}.`,
    reader.t('Accept the invitation to activate your account and view the reports.'),
  ],
  action: reader.t('Accept invitation'),
  link,
  closing: reader.t(
    'The link can be used once and expires on {{time}}. If you did not expect this invitation, you can ignore this email.',
    { time: reader.time(mail.expiresAt) },
  ),
});

/** The access of an existing account. */
export const accessEmail = (reader: MailReader, mail: InvitationMail): EmailContent => ({
  subject: invited(reader, mail),
  paragraphs: [
    greetingFor(reader, mail.name),
    `${invited(reader, mail)}.`,
    reader.t('Sign in with your existing account to view the reports.'),
  ],
  action: reader.t('Open {{product}}', { product: reader.product }),
  link: reader.publicUrl,
  closing: reader.t('If you did not expect this invitation, you can ignore this email.'),
});

export const disabledEmail = (reader: MailReader, mail: InvitationMail): EmailContent => ({
  subject: invited(reader, mail),
  paragraphs: [
    greetingFor(reader, mail.name),
    `${invited(reader, mail)}.`,
    reader.t('Your account is disabled. Contact an administrator to enable it.'),
  ],
  action: reader.t('Open {{product}}', { product: reader.product }),
  link: reader.publicUrl,
  closing: reader.t('If you did not expect this invitation, you can ignore this email.'),
});
