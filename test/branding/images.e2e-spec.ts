import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ico, jpeg, png, pngBomb, svg, webp } from '../support/images.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let token: string;

beforeAll(async () => {
  service = await startService();
  token = (await service.asAdmin()).token ?? '';
});
afterAll(() => service.close());

const path = '/api/settings/branding';

interface Problem {
  code: string;
  errors: { pointer: string; detail: string }[];
}
interface Branding {
  logo: { url: string; media_type: string } | null;
  logo_dark: { url: string } | null;
  favicon: { url: string } | null;
}

async function upload<T = Branding>(
  kind: string,
  content: Buffer,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${service.url}${path}/${kind}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'image/png', ...headers },
    body: new Uint8Array(content),
  });
  return { status: response.status, body: (await response.json()) as T };
}
const remove = (kind: string) =>
  fetch(`${service.url}${path}/${kind}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
const open = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/${url}`, { headers });

/** Each element refers to the next. */
const chain = Array.from({ length: 4900 }, (_, at) => `<use id="u${at}" href="#u${at + 1}"/>`).join('');
const drawing = svg('<path d="M0 0h10v10z" fill="#0b5cad"/>');

describe('PUT /api/settings/branding/logo', () => {
  test.each([
    ['image/png', png()],
    ['image/jpeg', jpeg(640, 200)],
    ['image/webp', webp(640, 200)],
    ['image/x-icon', ico(png(32, 32))],
    ['image/svg+xml', drawing],
  ])('200: %s is recognized by content, whatever the header', async (mediaType, content) => {
    const { status, body } = await upload('logo', content, { 'content-type': 'application/octet-stream' });
    const hash = createHash('sha256').update(content).digest('hex');
    expect([status, body.logo]).toEqual([200, { url: `branding/${hash}`, media_type: mediaType }]);
    const served = await open(`branding/${hash}`);
    expect(served.headers.get('content-type')?.split(';')[0]).toBe(mediaType);
    expect(Buffer.from(await served.arrayBuffer()).equals(content)).toBe(true);
  });

  test.each([
    ['nothing', Buffer.alloc(0), 'must be a PNG'],
    ['text', Buffer.from('this is not an image at all'), 'must be a PNG'],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), 'DOCTYPE'],
    ['GIF', Buffer.from('GIF89a0123456789'), 'must be a PNG'],
    ['half a PNG', png().subarray(0, 20), 'damaged'],
    ['a JPEG without a frame', Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(40)]), 'damaged'],
    ['a PNG without pixels', pngBomb(0, 10), 'damaged'],
    ['a PNG that decodes to 10 GB', pngBomb(50_000, 50_000), '50000 × 50000 pixels; at most 2048 × 2048'],
    ['a JPEG that decodes to 12 GB', jpeg(65_535, 65_535), 'at most 2048'],
    ['a WebP that is too wide', webp(16_384, 10), 'at most 2048'],
    ['an icon with a hidden bomb', ico(pngBomb(50_000, 50_000)), 'at most 2048'],
  ])('400: %s', async (_name, content, reason) => {
    const { status, body } = await upload<Problem>('logo', content);
    expect([status, body.code, body.errors.map(({ pointer }) => pointer)]).toEqual([
      400,
      'invalid_request',
      ['/logo'],
    ]);
    expect(body.errors[0]?.detail).toContain(reason);
  });

  test('413: more than 256 kB', async () => {
    const large = Buffer.concat([png(), Buffer.alloc(262_144)]);
    expect(await upload<Problem>('logo', large)).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    });
  });

  test('415: a compressed body', async () => {
    expect((await upload('logo', png(), { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  test('404: another image', async () => {
    expect(
      (await upload('banner', png(), { 'content-type': 'application/json' })).status,
    ).toBeGreaterThanOrEqual(400);
  });
});

describe('a hostile SVG file is rejected:', () => {
  const link = 'http://www.w3.org/1999/xlink';
  const bomb = Array.from(
    { length: 12 },
    (_, index) => `<g id="g${index + 1}">${`<use href="#g${index}"/>`.repeat(10)}</g>`,
  ).join('');
  test.each([
    ['script', svg('<script>alert(1)</script>')],
    [
      'a script with another prefix',
      svg('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>'),
    ],
    ['an event handler', svg('<path d="" onclick="alert(1)"/>')],
    ['onload on the root', svg('', 'onload="alert(1)"')],
    ['an event handler in upper case', svg('<path ONLOAD="alert(1)"/>')],
    ['foreignObject', svg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>')],
    ['XHTML', svg('<title xmlns="http://www.w3.org/1999/xhtml">x</title>')],
    ['an external image', svg('<image href="https://evil.example/x.png"/>')],
    ['an external use', svg('<use href="https://evil.example/x.svg#a"/>')],
    ['an external use by xlink', svg('<use xlink:href="//evil.example/x.svg#a"/>')],
    ['xlink by another prefix', svg(`<use xmlns:x="${link}" x:href="https://evil.example/x.svg#a"/>`)],
    ['a javascript link', svg('<a href="javascript:alert(1)"><path d=""/></a>')],
    ['an encoded javascript link', svg('<use href="&#106;avascript:alert(1)"/>')],
    ['an animation that sets href', svg('<use href="#a"><animate attributeName="href" to="data:,"/></use>')],
    ['set', svg('<set attributeName="onmouseover" to="alert(1)"/>')],
    ['an external style', svg('<style>@import "https://evil.example/x.css";</style>')],
    ['an encoded style', svg('<style>\\40 import "https://evil.example/x.css";</style>')],
    ['an external paint', svg('<path d="" fill="url(https://evil.example/x.svg#a)"/>')],
    ['an external paint in CDATA', svg('<style><![CDATA[path{fill:url(//evil.example/a)}]]></style>')],
    [
      'an external image in a style',
      svg('<path style="background:image-set(\'https://evil.example/a\' 1x)"/>'),
    ],
    ['xml:base', svg('', 'xml:base="https://evil.example/"')],
    ['DOCTYPE', Buffer.from(`<!DOCTYPE svg>${svg('').toString()}`)],
    [
      'entities',
      Buffer.from(
        `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]>${svg('<text>&b;</text>').toString()}`,
      ),
    ],
    ['an unknown entity', svg('<text>&nbsp;</text>')],
    [
      'a style sheet instruction',
      Buffer.from(`<?xml-stylesheet href="https://evil.example/x.xsl"?>${svg('').toString()}`),
    ],
    ['another encoding', Buffer.from(`<?xml version="1.0" encoding="UTF-7"?>${svg('').toString()}`)],
    ['UTF-16', Buffer.from(`\uFEFF${svg('').toString()}`, 'utf16le')],
    ['references that multiply', svg(`<path id="g0" d=""/>${bomb}<use href="#g12"/>`)],
    ['a reference to itself', svg('<g id="a"><use href="#a"/></g>')],
    ['a long chain of references', svg(chain)],
    ['deep nesting', svg('<g>'.repeat(5000) + '</g>'.repeat(5000))],
    ['malformed XML', svg('<g></path>')],
    ['an unquoted attribute', svg('<path d=x/>')],
    ['a control character', svg('<text>\u0001</text>')],
    ['no namespace', Buffer.from('<svg viewBox="0 0 10 10"><path d=""/></svg>')],
  ])('%s', async (_name, content) => {
    const { status, body } = await upload<Problem>('logo', content, { 'content-type': 'image/svg+xml' });
    expect([status, body.code, body.errors?.[0]?.pointer]).toEqual([400, 'invalid_request', '/logo']);
    expect(body.errors[0]?.detail).not.toBe('');
  });

  test('but not what drawing programs write', async () => {
    const content = Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Generator: a drawing program -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" viewBox="0 0 100 40" xml:space="preserve">
  <title>Contoso &amp; Co</title>
  <defs><linearGradient id="a"><stop offset="0" stop-color="#0b5cad"/></linearGradient>
    <linearGradient id="b" xlink:href="#a"/></defs>
  <style type="text/css"><![CDATA[.st0{fill:url(#b);stroke:none}]]></style>
  <g id="Layer_1" data-name="Layer 1" transform="matrix(1 0 0 1 0 0)">
    <path class="st0" d="M0,0 10,10z" style="fill:url('#b')" stroke="url( #b )"/><use xlink:href="#Layer_0"/><text x="1">ü&#x20AC;</text>
  </g>
</svg>
`);
    expect((await upload('logo', content)).status).toBe(200);
  });
});

describe('GET /branding/:hash', () => {
  test('200: without a token, cached for good, and an SVG file runs nothing', async () => {
    const { body } = await upload('favicon', drawing);
    const { status, headers } = await open(body.favicon?.url ?? '');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('304: with the ETag', async () => {
    const { body } = await upload('favicon', png());
    const url = body.favicon?.url ?? '';
    const etag = (await open(url)).headers.get('etag') ?? '';
    const cached = await open(url, { 'if-none-match': etag });
    expect([cached.status, await cached.text()]).toEqual([304, '']);
  });

  test('404: an unknown hash, and one that was replaced or removed', async () => {
    const old = (await upload('logo-dark', png(10, 10))).body.logo_dark?.url ?? '';
    const url = (await upload('logo-dark', png(20, 20))).body.logo_dark?.url ?? '';
    expect([(await open(old)).status, (await open(url)).status]).toEqual([404, 200]);
    expect((await remove('logo-dark')).status).toBe(204);
    expect((await remove('logo-dark')).status).toBe(204);
    for (const each of [url, `branding/${'0'.repeat(64)}`, 'branding/logo', 'branding/%00', 'branding']) {
      expect((await open(each, { accept: 'text/html' })).status).toBe(404);
    }
  });
});

test('an image change is audited by its hash', async () => {
  await upload('logo', png(30, 30));
  await remove('logo');
  await upload('logo', png(31, 31));
  const admin = await service.asAdmin();
  const { body } = await admin.get<{ audit_events: { details: object }[] }>(
    '/api/audit-events?action=branding_changed&limit=2',
  );
  const hash = createHash('sha256').update(png(31, 31)).digest('hex');
  const removed = createHash('sha256').update(png(30, 30)).digest('hex');
  expect(body.audit_events.map(({ details }) => details)).toEqual([
    { diff: { logo: { from: null, to: hash } } },
    { diff: { logo: { from: removed, to: null } } },
  ]);
});

test('an email has the logo attached, without a remote image', async () => {
  await upload('logo', png(80, 40));
  const admin = await service.asAdmin();
  await admin.post('/api/users/invite', { email: 'ivy@example.com' });
  const { html, attachments } = await service.mailbox.mailTo('ivy@example.com');
  expect(html).toContain('src="cid:logo@vitrine" alt="Vitrine"');
  expect(attachments.map(({ mimeType, contentId }) => [mimeType, contentId])).toEqual([
    ['image/png', '<logo@vitrine>'],
  ]);
  expect(html).not.toMatch(/src="http/);
});
