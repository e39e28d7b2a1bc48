import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import PostalMime from 'postal-mime';
import type { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

interface Body {
  id: string;
  status: string;
  delivery: string;
  delivery_error?: string;
}

let service: Service;
let admin: Client;
let count = 0;
let email: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.mailbox.refuseWith();
  email = `mail-${(count += 1)}@example.com`;
  admin = await service.asAdmin();
});

const invite = async (name = 'Ada') => (await admin.post<Body>('/api/users/invite', { email, name })).body;
const look = async ({ id }: Body) => (await admin.get<Body>(`/api/invitations/${id}`)).body;
/** Lets the next try come now instead of in a minute or an hour. */
const hurry = () =>
  service.database.query(
    `UPDATE pgboss.job SET start_after = now() WHERE name = 'invitation_mail' AND state = 'retry'`,
  );
const tries = async () => {
  const [job] = await service.database.query(
    `SELECT retry_count FROM pgboss.job WHERE name = 'invitation_mail' ORDER BY created_on DESC LIMIT 1`,
  );
  return job.retry_count as number;
};

describe('invitation emails', () => {
  test('have text and HTML parts, escaped values, and links of PUBLIC_URL only', async () => {
    const api = admin;
    await api.post(
      '/api/users/invite',
      { email, name: '<img src=x>' },
      { 'x-forwarded-host': 'evil.example' },
    );
    const mail = await service.mailbox.mailTo(email);
    expect(mail.html).toContain('&lt;img src=x&gt;');
    expect(mail.html).not.toContain('<img');
    expect(mail.text).toContain('Hello <img src=x>,');
    const links = `${mail.html}${mail.text}`.match(/https?:\/\/[^\s"<]+/g) ?? [];
    expect(links.every((link) => link.startsWith('https://vitrine.test/invitation#token='))).toBe(true);
    const raw = service.mailbox.mails.at(-1)!.toString();
    expect(raw).not.toMatch(/Content-Transfer-Encoding: base64/i);
  });

  test('name the inviter, the organization, everything that is opened and until when, as text and HTML', async () => {
    const sales = await service.factory.workspace({ name: 'Sales' });
    const finance = await service.factory.workspace({ name: 'Finance' });
    const budget = await service.factory.report(finance, { name: 'Budget <2027>' });
    const mona = await service.as(await service.factory.admin({ name: 'Mona Reyes' }));
    const { body: group } = await mona.post<Body>('/api/groups', { name: 'Controllers' });
    const { status } = await mona.post('/api/users/invite', {
      email,
      workspaces: [{ workspace_id: sales.id, role: 'editor', expires_at: '2099-12-31' }],
      reports: [{ report_id: budget.id, role: 'viewer' }],
      groups: [group.id],
    });
    expect(status).toBe(201);
    const mail = await service.mailbox.mailTo(email);
    expect(mail.subject).toBe('Mona Reyes invited you to Sales and Budget <2027> on Vitrine');
    const plain = (mail.text ?? '').replaceAll('\u200A', '');
    expect(plain).toContain('Mona Reyes invited you to Sales and Budget <2027> on Vitrine.');
    expect(plain).toContain(
      [
        'You get access to:',
        '- Workspace Sales: Editor, until 31 December 2099, 23:59 UTC',
        '- Report Budget <2027>: Viewer',
        '- What the group Controllers can access',
      ].join('\n'),
    );
    expect(plain).toMatch(/expires on \d+ \w+ \d{4}, \d\d:\d\d UTC/);
    const html = mail.html?.replaceAll('\u200A', '');
    expect(html).toContain('Mona Reyes invited you to Sales and Budget &lt;2027&gt; on Vitrine.');
    expect(html).toMatch(/expires on \d+ \w+ \d{4}, \d\d:\d\d UTC/);
    expect(html).toMatch(
      /<li[^>]*>Workspace Sales: Editor, until 31 December 2099, 23:59 UTC<\/li><li[^>]*>Report Budget &lt;2027&gt;: Viewer</,
    );
  });

  test('of a shared report lead to it and contain the message, without a link of its own', async () => {
    const budget = await service.factory.report(await service.factory.workspace(), { name: 'Budget' });
    await service.factory.user({ email });
    const share = (message: string) =>
      admin.post('/api/users/invite', {
        email,
        reports: [{ report_id: budget.id, role: 'viewer' }],
        message,
      });
    expect(await share('See\npage 2')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/message' }] },
    });
    expect((await share('See page 2 of https://evil.example')).status).toBe(200);
    const mail = await service.mailbox.mailTo(email);
    expect(mail.text?.replaceAll('\u200A', '')).toContain('wrote: See page 2 of https://evil.example');
    const links = `${mail.html}${mail.text}`.match(/https?:\/\/[^\s"<]+/g) ?? [];
    expect(new Set(links)).toEqual(new Set([`https://vitrine.test/reports/${budget.id}`]));
  });

  test('AUTH-31: a name or address cannot inject a header', async () => {
    const wrong = [
      { email, name: 'Ada\r\nBcc: eve@example.com' },
      { email: `${email}\r\nBcc: eve@example.com` },
    ];
    for (const body of [...wrong, { email: `a@example.com,${email}` }]) {
      expect((await admin.post('/api/users/invite', body)).status).toBe(400);
    }
  });

  test('OUT-17: an SMTP outage neither delays nor fails an invitation, and is shown with it', async () => {
    service.mailbox.refuseWith({ responseCode: 451, message: 'Come back later' });
    const invitation = await invite();
    expect(invitation).toMatchObject({ status: 'pending', delivery: 'queued' });
    await until(async () => (await look(invitation)).delivery_error);
    expect(await look(invitation)).toMatchObject({
      delivery: 'queued',
      delivery_error: expect.stringContaining('451'),
    });
    service.mailbox.refuseWith();
    await until(async () => (await look(invitation)).delivery === 'sent' || (await hurry(), false));
    expect(await look(invitation)).not.toHaveProperty('delivery_error');
    expect(await service.mailbox.mailsTo(email)).toHaveLength(1);
  });

  test('OUT-16: delivery fails after eight attempts, with the reason', async () => {
    service.mailbox.refuseWith({ responseCode: 450, message: 'Mailbox busy' });
    const invitation = await invite();
    for (let done = 1; done < 8; done += 1) {
      await until(async () => (await tries()) === done || (await hurry(), false));
    }
    await until(async () => (await look(invitation)).delivery === 'failed' || (await hurry(), false));
    expect((await look(invitation)).delivery_error).toContain('Mailbox busy');
    expect(await tries()).toBe(7);
  });

  test('OUT-16: a permanent rejection is not retried', async () => {
    service.mailbox.refuseWith({ responseCode: 550, message: 'No such mailbox' });
    const invitation = await invite();
    await until(async () => (await look(invitation)).delivery === 'failed');
    expect((await look(invitation)).delivery_error).toContain('No such mailbox');
    expect(await tries()).toBe(0);
  });

  test('OUT-16: a permanent rejection of an email about a changed password is not retried', async () => {
    const ada = await service.factory.user();
    service.mailbox.refuseWith({ responseCode: 550, message: 'No such mailbox' });
    const { status } = await (
      await service.as(ada)
    ).put('/api/users/me/password', { current_password: password, new_password: 'violet lamp drinks tea' });
    expect(status).toBe(204);
    const job = await until(async () => {
      const [{ state, retry_count }] = await service.database.query(
        `SELECT state, retry_count FROM pgboss.job WHERE name = 'password_changed_mail' AND data->>'user_id' = $1`,
        [ada.id],
      );
      return !['created', 'active'].includes(state) && { state, retry_count };
    });
    expect(job).toEqual({ state: 'completed', retry_count: 0 });
  });

  test('OUT-16: a rejection of the sender is retried', async () => {
    const ada = await service.factory.user();
    service.mailbox.refuseWith({ responseCode: 550, message: 'Sender not allowed', of: 'sender' });
    const client = await service.as(ada);
    const change = { current_password: password, new_password: 'violet lamp drinks tea' };
    expect((await client.put('/api/users/me/password', change)).status).toBe(204);
    const state = await until(async () => {
      const [row] = await service.database.query<{ state: string }[]>(
        `SELECT state FROM pgboss.job WHERE name = 'password_changed_mail' AND data->>'user_id' = $1`,
        [ada.id],
      );
      return !['created', 'active'].includes(row?.state ?? '') && row?.state;
    });
    expect(state).toBe('retry');
  });

  test('invitations can be filtered by the delivery of their email', async () => {
    const find = async (query: string) =>
      (await admin.get<{ invitations: Body[] }>(`/api/invitations?q=${email}&${query}`)).body.invitations;
    const { id } = await invite();
    await until(async () => (await find('delivery=sent&status=pending')).some((found) => found.id === id));
    expect(await find('delivery=failed')).toEqual([]);
    expect((await admin.get('/api/invitations?delivery=lost')).status).toBe(400);
  });

  test('DUR-09: an email that is sent twice keeps its Message-ID, another link has another one', async () => {
    const invitation = await invite();
    const first = await service.mailbox.mailTo(email);
    await until(async () => (await look(invitation)).delivery === 'sent');
    await service.database.query(
      `UPDATE pgboss.job SET state = 'retry', start_after = now() WHERE data->>'invitation_id' = $1`,
      [invitation.id],
    );
    await until(async () => (await service.mailbox.mailsTo(email)).length === 2);
    service.clock.advance(61);
    await (await service.asAdmin()).post(`/api/invitations/${invitation.id}/resend`);
    await until(async () => (await service.mailbox.mailsTo(email)).length === 3);
    const ids = await Promise.all(service.mailbox.mails.slice(-3).map((mail) => PostalMime.parse(mail)));
    expect(ids.map(({ messageId }) => messageId === first.messageId)).toEqual([true, true, false]);
  });
});
