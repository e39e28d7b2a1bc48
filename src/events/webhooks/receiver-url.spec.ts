import { describe, expect, test } from '@jest/globals';
import { findObjection, NOT_PUBLIC } from './receiver-url.js';

const objection = (url: string, allowed: Parameters<typeof findObjection>[1] = []) =>
  findObjection(new URL(url), allowed);

describe('a receiver', () => {
  test.each([
    'https://hooks.example.com/in?x=1',
    'https://hooks.example.com:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
  ])('may be %s', (url) => expect(objection(url)).toBeNull());

  test.each([
    ['loopback', 'https://127.0.0.1/'],
    ['a decimal address', 'https://2130706433/'],
    ['an octal address', 'https://0177.0.0.1/'],
    ['a hexadecimal address', 'https://0x7f000001/'],
    ['a mixed short address', 'https://0x7f.1/'],
    ['full-width digits', 'https://１２７.0.0.1/'],
    ['zero', 'https://0/'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['a mapped IPv4 address', 'https://[::ffff:127.0.0.1]/'],
    ['a mapped public IPv4 address', 'https://[::ffff:8.8.8.8]/'],
    ['a compatible IPv4 address', 'https://[::127.0.0.1]/'],
    ['NAT64', 'https://[64:ff9b::7f00:1]/'],
    ['local NAT64', 'https://[64:ff9b:1::7f00:1]/'],
    ['6to4', 'https://[2002:7f00:1::]/'],
    ['Teredo', 'https://[2001:0:7f00:1::]/'],
    ['link-local IPv6', 'https://[fe80::1]/'],
    ['site-local IPv6', 'https://[fec0::1]/'],
    ['unique local IPv6', 'https://[fd00:ec2::254]/'],
    ['segment routing', 'https://[5f00::1]/'],
    ['cloud metadata', 'https://169.254.169.254/latest/meta-data/'],
    ['the Azure platform', 'https://168.63.129.16/'],
    ['a private network', 'https://10.0.0.1/'],
    ['another private network', 'https://192.168.1.1/'],
    ['carrier-grade NAT', 'https://100.100.100.200/'],
    ['localhost', 'https://localhost/'],
    ['a name below localhost', 'https://a.localhost/'],
  ])('must not have %s', (_name, url) => expect(objection(url)).toBe(NOT_PUBLIC));

  test.each([
    [
      'plain http',
      'http://hooks.example.com/',
      'must use https, unless WEBHOOK_ALLOWED_HOSTS contains the host',
    ],
    ['another scheme', 'ftp://hooks.example.com/', 'must use https'],
    [
      'another port',
      'https://hooks.example.com:6379/',
      'must use port 443 or 8443, unless WEBHOOK_ALLOWED_HOSTS contains the host',
    ],
    ['a user name', 'https://a@hooks.example.com/', 'must not contain a user name or password'],
    ['a password', 'https://:a@hooks.example.com/', 'must not contain a user name or password'],
    ['a fragment', 'https://hooks.example.com/#a', 'must not contain a fragment'],
    ['a trailing dot', 'https://hooks.example.com./', 'must not have a host that ends with a period'],
    ['localhost with a trailing dot', 'https://localhost./', 'must not have a host that ends with a period'],
  ])('must not have %s', (_name, url, detail) => expect(objection(url)).toBe(detail));

  test.each(['https://[fe80::1%25eth0]/', 'https://[fe80::1%eth0]/'])('with a zone id is no URL: %s', (url) =>
    expect(URL.canParse(url)).toBe(false),
  );

  test('that the operator allows may be private and use plain http, on the listed port only', () => {
    const allowed = [{ hostname: '10.0.0.1', port: 8080 }, { hostname: 'hooks.internal' }];
    expect(objection('http://10.0.0.1:8080/', allowed)).toBeNull();
    expect(objection('http://hooks.internal/', allowed)).toBeNull();
    expect(objection('https://hooks.internal:9000/', allowed)).toBeNull();
    expect(objection('https://10.0.0.1/', allowed)).toBe(NOT_PUBLIC);
    expect(objection('http://hooks.internal.example.com/', allowed)).toMatch(/^must use https, unless/);
    expect(objection('ftp://hooks.internal/', allowed)).toBe('must use https');
  });
});
