import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { requestEmail, resultEmail } from '../src/access/requests/access-request-emails.js';
import type { ListedAccessRequest } from '../src/access/requests/access-requests.queries.js';
import type { WorkspaceRole } from '../src/access/grants/grant.js';
import {
  accessEmail,
  attachmentEmail,
  disabledEmail,
  type InvitationMail,
  linkEmail,
} from '../src/invitations/invitation-emails.js';
import type { EmailContent } from '../src/platform/mail/email-template.js';
import { german } from '../src/platform/mail/locales/de.js';
import { type MailReader, mailReader } from '../src/platform/mail/mail-reader.js';
import { changedEmail, resetEmail } from '../src/auth/passwords/password-emails.js';
import { emailChangedEmail } from '../src/auth/sessions/email-change-emails.js';
import { disabledEmail as webhookEmail } from '../src/events/webhooks/webhook-emails.js';
import { scan } from './portal/translations.js';

const files = globSync('src/**/*-emails.ts');
const keys = new Set(
  files.flatMap((file) => scan(file, readFileSync(file, 'utf8')).keys).map(({ text }) => text),
);
const placeholders = (text: string) =>
  [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => String(name)).toSorted();

const on = (role: WorkspaceRole, ...names: string[]) =>
  names.map((name) => ({ id: name, name, role, expiresAt: null }));
const invitation: InvitationMail = {
  name: 'Ada',
  role: 'member',
  inviter: 'Mona',
  workspaces: on('viewer', 'Sales'),
  reports: [],
  groups: [],
  message: null,
  expiresAt: new Date(0),
};
const request = {
  id: '1',
  status: 'pending',
  requesterName: 'Ada',
  requesterEmail: 'ada@example.com',
  workspaceId: '2',
  workspaceName: 'Sales',
  reportId: '3',
  reportName: 'Revenue',
  reason: 'Month end',
} as ListedAccessRequest;
const whole = { ...request, reportId: null, reportName: null, reason: null };
const decided = (status: 'approved' | 'declined', of = request) => ({ ...of, status });

const disabled = { host: 'hooks.example.com', since: new Date(0), name: 'Ada' };

/** Every mail, in each of its forms. */
const mails: [string, (reader: MailReader) => EmailContent][] = [
  ['an invitation', (reader) => linkEmail(reader, invitation, 'link')],
  ['an invitation to nothing', (reader) => linkEmail(reader, { ...invitation, workspaces: [] }, 'link')],
  [
    'an invitation to everything',
    (reader) =>
      linkEmail(
        reader,
        {
          ...invitation,
          message: 'See page 2',
          role: 'admin',
          workspaces: on('manager', 'Sales', 'Finance'),
          reports: [{ id: '1', name: 'Budget', role: 'editor', expiresAt: new Date(0) }],
          groups: Array.from({ length: 60 }, (_, index) => `Group ${index}`),
        },
        'link',
      ),
  ],
  [
    'an invitation without names',
    (reader) => linkEmail(reader, { ...invitation, name: null, inviter: null, message: 'Hi' }, 'link'),
  ],
  [
    'an invitation to nothing without names',
    (reader) => linkEmail(reader, { ...invitation, inviter: null, workspaces: [] }, 'link'),
  ],
  [
    'access',
    (reader) => accessEmail(reader, { ...invitation, workspaces: on('viewer', 'a', 'b', 'c', 'd', 'e') }),
  ],
  [
    'access to one report',
    (reader) => accessEmail(reader, { ...invitation, workspaces: [], reports: on('viewer', 'a') }),
  ],
  ['access to one workspace', (reader) => accessEmail(reader, invitation)],
  ['access of a disabled account', (reader) => disabledEmail(reader, invitation)],
  ['an attachment', (reader) => attachmentEmail(reader, invitation, 'link')],
  ['a changed address', (reader) => emailChangedEmail(reader, { name: 'Ada', changedAt: new Date(0) })],
  ['a password reset', (reader) => resetEmail(reader, 'secret')],
  ['a changed password', (reader) => changedEmail(reader, { name: 'Ada', changedAt: new Date(0) })],
  ['a request', (reader) => requestEmail(reader, { request, name: 'Mona' })],
  ['a request for a workspace', (reader) => requestEmail(reader, { request: whole, name: 'Mona' })],
  [
    'a request of a service account',
    (reader) => requestEmail(reader, { request: { ...request, requesterEmail: null }, name: 'Mona' }),
  ],
  ['an approved request', (reader) => resultEmail(reader, { request: decided('approved'), name: 'Ada' })],
  [
    'an approved workspace',
    (reader) => resultEmail(reader, { request: decided('approved', whole), name: 'Ada' }),
  ],
  ['a declined request', (reader) => resultEmail(reader, { request: decided('declined'), name: 'Ada' })],
  [
    'a declined workspace',
    (reader) => resultEmail(reader, { request: decided('declined', whole), name: 'Ada' }),
  ],
  ['a failing webhook', (reader) => webhookEmail(reader, { ...disabled, reason: 'failing' })],
  ['a webhook that is gone', (reader) => webhookEmail(reader, { ...disabled, reason: 'gone' })],
];

const names = { product: 'Contoso Reports', publicUrl: 'https://reports.example' };

describe('texts of mails', () => {
  test('are found', () => {
    expect(files.length).toBeGreaterThanOrEqual(3);
    expect(keys.size).toBeGreaterThan(30);
  });

  test('have a German translation, which is used', () => {
    expect([...keys].filter((key) => german[key] === undefined)).toEqual([]);
    expect(Object.keys(german).filter((key) => !keys.has(key))).toEqual([]);
  });

  test('have the same placeholders in both languages', () => {
    const differing = Object.entries(german).filter(
      ([key, text]) => placeholders(key).join() !== placeholders(text).join(),
    );
    expect(differing).toEqual([]);
  });

  test.each(mails)('%s contains only translated texts', (_name, compose) => {
    const marked = ((key: string) => {
      used.add(key);
      return '§';
    }) as MailReader['t'];
    const { subject, paragraphs, list, action, closing } = compose({
      ...mailReader('en', 'UTC', names),
      t: marked,
    });
    const texts = [subject, ...paragraphs, ...(list ? [list.title, ...list.items] : []), action, closing];
    expect(new Set(texts.map((text) => text.replace(/\.$/, '')))).toEqual(new Set(['§']));
  });

  const used = new Set<string>();

  test('are all covered by these mails', () => {
    expect([...keys].filter((key) => !used.has(key))).toEqual([]);
  });
});

describe('a mail', () => {
  const english = mailReader('en', 'America/New_York', names);
  const german = mailReader('de', 'Europe/Berlin', names);

  test('names who invites, to what and where', () => {
    expect(linkEmail(english, invitation, 'link').subject).toBe(
      'Mona invited you to Sales on Contoso Reports',
    );
    expect(linkEmail(german, invitation, 'link').subject).toBe(
      'Mona hat Sie zu Sales in Contoso Reports eingeladen',
    );
    const workspaces = on('viewer', 'Sales', 'Finance', 'Budget', 'Plan', 'Costs');
    expect(linkEmail(english, { ...invitation, workspaces }, 'link').subject).toBe(
      'Mona invited you to Sales, Finance, Budget and 2 more on Contoso Reports',
    );
    expect(linkEmail(german, { ...invitation, workspaces }, 'link').subject).toBe(
      'Mona hat Sie zu Sales, Finance, Budget und 2 weiteren in Contoso Reports eingeladen',
    );
  });

  test('ends a long list with the number of the others', () => {
    const groups = Array.from({ length: 60 }, (_, index) => `Group ${index}`);
    const lastOf = (reader: MailReader) =>
      linkEmail(reader, { ...invitation, groups }, 'link').list?.items.at(-1);
    expect(lastOf(english)).toBe('and 11 more');
    expect(lastOf(german)).toBe('und 11 weitere');
  });

  test('does not interpret placeholders in names', () => {
    const inviter = '{{product}} $t(Hello,)';
    expect(linkEmail(german, { ...invitation, inviter }, 'link').subject).toContain(inviter);
  });

  test('has times in the language and time zone of the recipient', () => {
    const at = new Date('2026-11-23T18:30:00Z');
    expect(english.time(at)).toBe('23 November 2026, 13:30 GMT-5');
    expect(german.time(at)).toBe('23. November 2026, 19:30 MEZ');
  });
});
