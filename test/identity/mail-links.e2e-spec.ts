import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { password } from '../support/factory.js';
import { type Service, startService } from '../support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** What mail clients recognize in running text: a scheme, a host of two labels, an address. */
const linkLike = /[\p{L}\p{N}+.-]+:[^\s]|[^\s.@]+[.。．｡][^\s.]|[^\s]+@[^\s]|[/\\]{2}/u;

const names = [
  'www.evil.example',
  'evil.example',
  'evil.example/path?x=1',
  'evil。example',
  'evil．example',
  'evil.\u200Bexample',
  'mailto:eve@evil.example',
  'ada@example.com',
  'tel:+1900555000',
  '//evil.example',
  '//server/share',
  '\\\\evil.example\\share',
  'Dr.med. Ada',
];

const visible = (html: string): string =>
  html
    .replaceAll(/<style[\s\S]*?<\/style>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&#39;', "'");

const without = (text: string, link: string): string => text.replaceAll(link, '');

describe('a name that an email client could render as a link (L5)', () => {
  test.each(names)('%j is not a link in an invitation email', async (name) => {
    const email = `${uuidv7()}@example.com`;
    const admin = await service.asAdmin();
    expect((await admin.post('/api/users/invite', { email, name })).status).toBe(201);
    const { text = '', html = '' } = await service.mailbox.mailTo(email);
    const link = /https:\/\/vitrine\.test\/invitation#token=[\w-]+/.exec(text)?.[0] ?? '';
    expect(link).not.toBe('');
    expect(without(text, link)).not.toMatch(linkLike);
    expect(visible(html)).not.toMatch(linkLike);
    expect(html.match(/href="([^"]*)"/g)).toEqual([`href="${link}"`]);
    // It still reads as the name, which is stored without invisible characters.
    const compact = (value: string): string => value.replaceAll('\u200A', '');
    const stored = name.replaceAll('\u200B', '');
    expect(compact(text)).toContain(`Hello ${stored},`);
    expect(compact(visible(html))).toContain(`Hello ${stored},`);
  });

  test('is not a link in the email after a password change', async () => {
    const user = await service.factory.user({ name: 'www.evil.example' });
    const api = await service.as(user);
    const change = { current_password: password, new_password: 'quite another long password' };
    expect((await api.put('/api/users/me/password', change)).status).toBe(204);
    const { text = '', html = '' } = await service.mailbox.mailTo(user.email);
    expect(without(text, 'https://vitrine.test/password-reset')).not.toMatch(linkLike);
    expect(visible(html)).not.toMatch(linkLike);
  });
});
