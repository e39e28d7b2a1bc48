import { afterEach, describe, expect, test } from '@jest/globals';
import { portalFolder, withPortal } from '../support/portal.js';
import { type Service, startService } from '../support/service.js';

const browser = { accept: 'text/html' };

let service: Service;
afterEach(() => service.close());

const start = async (variables: Record<string, string>, folder = portalFolder()): Promise<void> => {
  service = await startService(variables, withPortal(folder));
};
const open = (path: string) => fetch(`${service.url}${path}`, { headers: browser });

async function home(): Promise<{ html: string; directives: string[]; settings: unknown }> {
  const response = await open('/');
  const html = await response.text();
  const [, json = ''] = /id="vitrine-settings">([^<]*)<\/script>/.exec(html) ?? [];
  const directives = response.headers.get('content-security-policy')?.split('; ') ?? [];
  return { html, directives, settings: JSON.parse(json) };
}

describe('frame-src contains', () => {
  test.each([
    [{ POWERBI_API_URL: '' }, 'https://app.powerbi.com https://api.powerbi.com'],
    [{ POWERBI_CLOUD: 'gcc', POWERBI_API_URL: '' }, 'https://app.powerbigov.us https://api.powerbigov.us'],
    [
      { POWERBI_API_URL: 'https://emulator.example:8443' },
      'https://app.powerbi.com https://emulator.example:8443',
    ],
  ])('the hosts of the cloud, with %p: %s', async (variables, sources) => {
    await start(variables);
    expect((await home()).directives).toContain(`frame-src ${sources}`);
  });

  test('the emulator with its exact port', async () => {
    await start({});
    const { origin } = new URL(service.emulator.url);
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await home()).directives).toContain(`frame-src https://app.powerbi.com ${origin}`);
  });
});

describe('the page settings contain', () => {
  test('the sign-in methods and whether mail is configured', async () => {
    await start({ SMTP_URL: '', PUBLIC_URL: 'https://vitrine.test' });
    const { html, settings } = await home();
    expect(html).toContain('<base href="/" />');
    expect(settings).toEqual({
      passwordSignIn: true,
      identityProvider: false,
      mailConfigured: false,
      publicUrl: 'https://vitrine.test',
      hasDemoUsage: false,
      isUsageVisibleToViewers: true,
      usageTimeZone: 'UTC',
      branding: expect.objectContaining({ productName: 'Vitrine' }),
    });
  });

  test('the identity provider and the base path', async () => {
    const oidc = {
      OIDC_ISSUER: 'https://login.example',
      OIDC_CLIENT_ID: 'vitrine',
      PASSWORD_SIGN_IN: 'false',
    };
    await start({ ...oidc, PUBLIC_URL: 'https://vitrine.test/data/analytics/' });
    const { html, settings } = await home();
    expect(html).toContain('<base href="/data/analytics/" />');
    expect(settings).toEqual({
      passwordSignIn: false,
      identityProvider: true,
      mailConfigured: true,
      publicUrl: 'https://vitrine.test/data/analytics',
      hasDemoUsage: false,
      isUsageVisibleToViewers: true,
      usageTimeZone: 'UTC',
      branding: expect.objectContaining({ productName: 'Vitrine' }),
    });
  });

  test('that figures are demo data, and hidden from viewers', async () => {
    await start({ USAGE_DEMO_NOTICE: 'true', USAGE_VISIBLE_TO_VIEWERS: 'false' });
    expect((await home()).settings).toMatchObject({ hasDemoUsage: true, isUsageVisibleToViewers: false });
  });

  test('no executable content', async () => {
    const publicUrl = 'https://vitrine.test/"></script><script>alert(1)</script>&%NONCE%$&';
    await start({ PUBLIC_URL: publicUrl });
    const { html, settings } = await home();
    expect(settings).toMatchObject({ publicUrl: new URL(publicUrl).href });
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).toContain(
      '<base href="/%22%3E%3C/script%3E%3Cscript%3Ealert(1)%3C/script%3E&amp;%NONCE%$&amp;/" />',
    );
  });
});

test('a sign-in that cannot start links back to the portal, if it is enabled', async () => {
  await start({});
  expect(await (await open('/login')).text()).toContain(
    '<a href="https://vitrine.test">Back to the portal</a>',
  );
  await service.close();
  await start({ PORTAL_ENABLED: 'false' });
  expect(await (await open('/login')).text()).not.toContain('<a ');
});

describe('without a portal', () => {
  const plain = async (): Promise<void> => {
    for (const path of ['/', '/reports', '/assets/index-Dk3v9a.js', '/favicon.svg']) {
      const response = await open(path);
      expect(await response.json()).toMatchObject({ status: 404, code: 'route_not_found' });
    }
    expect(await (await open('/invitation')).text()).toContain('Accept your invitation');
    expect(await (await open('/password-reset')).text()).toContain('Choose a new password');
    expect((await fetch(service.url, { method: 'POST' })).status).toBe(404);
  };

  test('PORTAL_ENABLED=false: the plain pages and the embed script are served', async () => {
    await start({ PORTAL_ENABLED: 'false' });
    await plain();
    expect((await open('/embed.js')).status).toBe(200);
  });

  test('not built: as with PORTAL_ENABLED=false', async () => {
    await start({}, portalFolder(['embed.js']));
    await plain();
    expect((await open('/embed.js')).status).toBe(200);
  });

  test('without any build output', async () => {
    await start({}, '/nowhere/at/all');
    await plain();
    const response = await open('/embed.js');
    expect(await response.json()).toMatchObject({ status: 404, code: 'route_not_found' });
  });
});
