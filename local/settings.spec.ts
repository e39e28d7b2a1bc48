import { expect, test } from '@jest/globals';
import { urlOf } from './settings.js';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::1', 'http://[::1]:3000'],
  ['::', 'http://[::1]:3000'],
  ['vitrine.local', 'http://vitrine.local:3000'],
])('a local start on HOST=%s is reached at %s', (host, url) => {
  expect(urlOf(host, 3000)).toBe(url);
});
