import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let admin: Client;
let member: Client;

beforeAll(async () => {
  service = await startService();
  [admin, member] = await Promise.all([service.asAdmin(), service.as(await service.factory.user())]);
});
afterAll(() => service.close());

const path = '/api/settings/branding';
const defaults = {
  product_name: 'Vitrine',
  primary_color: '#1971c2',
  sign_in_text: null,
  support_url: null,
  sender_name: null,
  logo: null,
  logo_dark: null,
  favicon: null,
};
const contoso = {
  product_name: 'Contoso Reports',
  primary_color: '#0b5cad',
  sign_in_text: 'Sign in with your Contoso account.',
  support_url: 'https://help.contoso.example/reports?from=portal',
  sender_name: 'Contoso Reports',
};

beforeEach(async () => {
  await admin.put(path, {});
});

describe('GET /api/settings/branding', () => {
  test('200: every signed-in user reads it, the defaults at first', async () => {
    expect((await member.get(path)).body).toMatchObject(defaults);
  });
});

describe('PUT /api/settings/branding', () => {
  test('200: sets all fields, for every reader', async () => {
    const { status, body } = await admin.put(path, { ...contoso, primary_color: '#0B5CAD' });
    expect(status).toBe(200);
    expect(body).toMatchObject(contoso);
    expect((await member.get(path)).body).toEqual(body);
    expect(body.updated_at).not.toBeNull();
  });

  test('200: what is omitted or null has its default again', async () => {
    await admin.put(path, contoso);
    const { body } = await admin.put(path, { product_name: 'Contoso', support_url: null });
    expect(body).toMatchObject({ ...defaults, product_name: 'Contoso' });
  });

  test.each([
    ['product_name', ''],
    ['product_name', '   '],
    ['product_name', 'x'.repeat(61)],
    ['product_name', 'Contoso\r\nBcc: victim@example.com'],
    ['product_name', 'Visit https://evil.example'],
    ['product_name', 'Contoso \u202Egpj.exe'],
    ['product_name', 7],
    ['primary_color', 'blue'],
    ['primary_color', '#0b5'],
    ['primary_color', '#0b5cad80'],
    ['primary_color', '#0b5cad;background:url(//evil)'],
    ['sign_in_text', 'a\nb'],
    ['sign_in_text', 'x'.repeat(501)],
    ['support_url', 'http://help.example'],
    ['support_url', 'javascript:alert(1)'],
    ['support_url', 'data:text/html,x'],
    ['support_url', '//help.example'],
    ['support_url', 'https:help.example'],
    ['support_url', 'https://user:secret@help.example'],
    ['support_url', 'https://help.example/a b'],
    ['support_url', `https://help.example/${'x'.repeat(500)}`],
    ['support_url', 'mailto:'],
    ['support_url', 'mailto:help@example.com?bcc=victim@example.com'],
    ['support_url', 'mailto:help@example.com?subject=a%0d%0aBcc:x'],
    ['support_url', 'mailto:a@example.com,b@example.com'],
    ['sender_name', 'Contoso\nBcc: victim@example.com'],
    ['sender_name', 'Contoso\u0000'],
    ['sender_name', 'x'.repeat(61)],
    ['logo', 'https://evil.example/logo.png'],
  ])('400: %s %j', async (field, value) => {
    const { status, body } = await admin.put<{ errors: { pointer: string }[] }>(path, { [field]: value });
    expect([status, body.errors?.map(({ pointer }) => pointer)]).toEqual([400, [`/${field}`]]);
    expect((await member.get(path)).body).toMatchObject(defaults);
  });

  test.each([
    'https://help.example',
    'mailto:help@contoso.example',
    'mailto:help@contoso.example?subject=Reports',
  ])('200: the support link %s', async (support_url) => {
    expect((await admin.put(path, { support_url })).body).toMatchObject({ support_url });
  });

  test.each([
    ['#ffff00', 'white text on #ffff00 has 1.07:1'],
    ['#3b82f6', 'white text on #3b82f6 has 3.67:1'],
    ['#777777', 'white text on #777777 has 4.47:1'],
    ['#767676', 'links in #767676 on the light background #f8f9fa have 4.30:1'],
  ])('400: %s has too little contrast', async (primary_color, reason) => {
    const { status, body } = await admin.put<{ errors: { pointer: string; detail: string }[] }>(path, {
      primary_color,
    });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        pointer: '/primary_color',
        detail: `primary_color has too little contrast: ${reason}, at least 4.5:1 is required. Choose a darker colour.`,
      },
    ]);
  });

  test('writes an audit event with the changed fields, and none without a change', async () => {
    await admin.put(path, contoso);
    const since = new Date(service.clock.now()).toISOString();
    service.clock.advance(1);
    await admin.put(path, { ...contoso, product_name: 'Contoso BI', sender_name: null });
    await admin.put(path, { ...contoso, product_name: 'Contoso BI', sender_name: null });
    const { body } = await admin.get<{ audit_events: { at: string; target: unknown; details: object }[] }>(
      '/api/audit-events?action=branding_changed&target_type=settings',
    );
    const events = body.audit_events.filter(({ at }) => at > since);
    expect(events.map(({ details }) => details)).toEqual([
      {
        diff: {
          product_name: { from: 'Contoso Reports', to: 'Contoso BI' },
          sender_name: { from: 'Contoso Reports', to: null },
        },
      },
    ]);
  });
});

describe('emails', () => {
  test('have the product name, the color and the sender name; the address stays that of MAIL_FROM', async () => {
    await admin.put(path, { ...contoso, sender_name: 'Contoso "Reports", Inc.' });
    await admin.post('/api/users/invite', { email: 'ivy@example.com' });
    const mail = await service.mailbox.mailTo('ivy@example.com');
    expect(mail.from).toMatchObject({ name: 'Contoso "Reports", Inc.', address: 'vitrine@localhost' });
    expect(mail.html).toContain('Contoso Reports');
    expect(mail.html).toContain('background:#0b5cad');
    expect(mail.html).not.toContain('Vitrine');
  });

  test('escape the product name', async () => {
    await admin.put(path, { product_name: '<b>Contoso</b> & Co' });
    await admin.post('/api/users/invite', { email: 'ada@example.com' });
    const { html } = await service.mailbox.mailTo('ada@example.com');
    expect(html).toContain('&lt;b&gt;Contoso&lt;/b&gt; &amp; Co');
  });
});
