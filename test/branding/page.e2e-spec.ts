import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApplication } from '../support/application.js';
import type { Client } from '../support/client.js';
import { png } from '../support/images.js';
import { withPortal, portalFolder } from '../support/portal.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService({}, withPortal(portalFolder()));
  admin = await service.asAdmin();
});
afterAll(() => service.close());

interface Branding {
  productName: string;
  logo: string | null;
}

async function page(url = service.url): Promise<{ html: string; branding: Branding }> {
  const html = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
  const [, json = ''] = /id="vitrine-settings">([^<]*)<\/script>/.exec(html) ?? [];
  return { html, branding: (JSON.parse(json) as { branding: Branding }).branding };
}

const path = '/api/settings/branding';
const upload = (kind: string, content: Buffer) =>
  fetch(`${service.url}${path}/${kind}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${admin.token}` },
    body: new Uint8Array(content),
  });

test('the page has the branding before sign-in, at once after a change', async () => {
  expect((await page()).branding).toEqual({
    productName: 'Vitrine',
    primaryColor: '#1971c2',
    signInText: null,
    supportUrl: null,
    logo: null,
    logoDark: null,
    favicon: null,
  });
  await admin.put(path, { product_name: 'Contoso Reports', sign_in_text: 'Welcome', sender_name: 'Contoso' });
  await upload('logo', png());
  await upload('favicon', png(16, 16));
  const { html, branding } = await page();
  expect(branding).toMatchObject({ productName: 'Contoso Reports', signInText: 'Welcome' });
  expect(branding).not.toHaveProperty('senderName');
  expect(html).toContain('<title>Contoso Reports</title>');
  expect(html).toMatch(/<link rel="icon" href="branding\/[0-9a-f]{64}">/);
  expect((await fetch(`${service.url}/${branding.logo}`)).status).toBe(200);
});

test('a product name is text in the page, whatever it contains', async () => {
  const product_name = '</title></script><script>alert(1)</script>%NONCE% $& %BASE%';
  await admin.put(path, { product_name });
  const { html, branding } = await page();
  expect(branding.productName).toBe(product_name);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;%NONCE% $&amp; %BASE%</title>');
  expect(html.match(/<script/g)).toHaveLength(2);
});

test('another replica shows a change within a second', async () => {
  const other = await startApplication(service.environment, service.clock, withPortal());
  try {
    await page(other.url);
    await admin.put(path, { product_name: 'Northwind' });
    await until(async () => (await page(other.url)).branding.productName === 'Northwind');
  } finally {
    await other.close();
  }
});
