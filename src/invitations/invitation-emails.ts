import type { PlatformRole } from '../core/http/principal.js';
import type { WorkspaceRole } from '../access/grants/grant.js';
import type { EmailContent } from '../platform/mail/email-template.js';
import type { MailReader } from '../platform/mail/mail-reader.js';
import type { InvitationDescription, NamedGrant } from './invitation-description.service.js';

export interface InvitationMail extends InvitationDescription {
  /** The recipient's name. */
  name: string | null;
  /** Platform role of the account. */
  role: PlatformRole;
  /** Names of the groups that the recipient joins. */
  groups: readonly string[];
  expiresAt: Date;
  /** The inviter's own words. */
  message: string | null;
}

/** In a sentence. */
const MAX_TARGETS = 3;
const MAX_ITEMS = 50;

const greetingFor = ({ t }: MailReader, name: string | null): string =>
  name === null ? t('Hello,') : t('Hello {{name}},', { name });

/** Who invites, to what, and the inviter's words. */
function opening(reader: MailReader, mail: InvitationMail): string[] {
  const { t } = reader;
  const { inviter, message } = mail;
  const words =
    inviter === null
      ? t('Message: {{message}}', { message })
      : t('{{inviter}} wrote: {{message}}', { inviter, message });
  return [greetingFor(reader, mail.name), `${invited(reader, mail)}.`, ...(message === null ? [] : [words])];
}

/** The page of the only workspace or report, otherwise the start page. */
function pageOf({ t, product, publicUrl }: MailReader, { workspaces, reports }: InvitationMail) {
  const [report, workspace] = [reports[0], workspaces[0]];
  if (workspaces.length + reports.length !== 1)
    return { action: t('Open {{product}}', { product }), link: publicUrl };
  return report === undefined
    ? { action: t('Open workspace'), link: `${publicUrl}/workspaces/${workspace?.id}` }
    : { action: t('Open report'), link: `${publicUrl}/reports/${report.id}` };
}

/** `Sales`, `Sales and Finance` or `Sales, Finance, Budget and 4 more`. */
function namesOf({ t, list }: MailReader, targets: readonly string[]): string {
  // One more name takes no more space than its number.
  if (targets.length <= MAX_TARGETS + 1) return list(targets);
  const number = targets.length - MAX_TARGETS;
  return list([...targets.slice(0, MAX_TARGETS), t('{{number}} more', { number })]);
}

/** `Mona invited you to Sales on Contoso Reports`, as far as it is known. */
function invited(reader: MailReader, { inviter, workspaces, reports }: InvitationMail): string {
  const { t, product } = reader;
  const targets = [...workspaces, ...reports].map(({ name }) => name);
  const values = { inviter, target: namesOf(reader, targets), product };
  if (targets.length === 0)
    return inviter === null
      ? t('You were invited to {{product}}', values)
      : t('{{inviter}} invited you to {{product}}', values);
  return inviter === null
    ? t('You were invited to {{target}} on {{product}}', values)
    : t('{{inviter}} invited you to {{target}} on {{product}}', values);
}

const roleName = ({ t }: MailReader, role: WorkspaceRole): string =>
  ({ viewer: t('Viewer'), editor: t('Editor'), manager: t('Manager') })[role];

/** Everything that the invitation opens: `Workspace Sales: Viewer, until 31 December 2026, 00:00 UTC`. */
function opened(
  reader: MailReader,
  { role, workspaces, reports, groups }: InvitationMail,
): EmailContent['list'] {
  const { t } = reader;
  const until = (access: string, { expiresAt }: NamedGrant): string =>
    expiresAt === null ? access : t('{{access}}, until {{time}}', { access, time: reader.time(expiresAt) });
  const named = (grant: NamedGrant) => ({ name: grant.name, role: roleName(reader, grant.role) });
  const items = [
    ...(role === 'admin' ? [t('All workspaces and settings, as an administrator')] : []),
    ...workspaces.map((grant) => until(t('Workspace {{name}}: {{role}}', named(grant)), grant)),
    ...reports.map((grant) => until(t('Report {{name}}: {{role}}', named(grant)), grant)),
    ...groups.map((name) => t('What the group {{name}} can access', { name })),
  ];
  if (items.length === 0) return undefined;
  const number = items.length - MAX_ITEMS;
  const shown = number > 1 ? [...items.slice(0, MAX_ITEMS), t('and {{number}} more', { number })] : items;
  return { title: t('You get access to:'), items: shown };
}

export const linkEmail = (reader: MailReader, mail: InvitationMail, link: string): EmailContent => ({
  subject: invited(reader, mail),
  paragraphs: [
    ...opening(reader, mail),
    reader.t('Accept the invitation to activate your account and view the reports.'),
  ],
  list: opened(reader, mail),
  action: reader.t('Accept invitation'),
  link,
  closing: reader.t(
    'The link can be used once and expires on {{time}}. If you did not expect this invitation, you can ignore this email.',
    { time: reader.time(mail.expiresAt) },
  ),
});

/** For a person who has an account with another address and opened the link of the invitation. */
export const attachmentEmail = (reader: MailReader, mail: InvitationMail, link: string): EmailContent => ({
  ...linkEmail(reader, mail, link),
  paragraphs: [
    ...opening(reader, mail),
    reader.t(
      'Someone opened this invitation with an account that has another email address. If it was you, open this link and sign in with that account to add the invitation to it. The previous link no longer works.',
    ),
  ],
});

/** The access of an existing account. */
export const accessEmail = (reader: MailReader, mail: InvitationMail): EmailContent => ({
  subject: invited(reader, mail),
  paragraphs: [...opening(reader, mail), reader.t('Sign in with your existing account to view the reports.')],
  list: opened(reader, mail),
  ...pageOf(reader, mail),
  closing: reader.t('If you did not expect this invitation, you can ignore this email.'),
});

export const disabledEmail = (reader: MailReader, mail: InvitationMail): EmailContent => ({
  subject: invited(reader, mail),
  paragraphs: [
    ...opening(reader, mail),
    reader.t('Your account is disabled. Contact an administrator to enable it.'),
  ],
  list: opened(reader, mail),
  action: reader.t('Open {{product}}', { product: reader.product }),
  link: reader.publicUrl,
  closing: reader.t('If you did not expect this invitation, you can ignore this email.'),
});
