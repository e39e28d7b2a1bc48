import { describe, expect, test } from '@jest/globals';
import { destinationOf, ownPath } from './own-path.js';

describe('ownPath', () => {
  test.each(['/', '/reports', '/reports/1?tab=a#b', '/users?q=%2F%2Fevil.test'])('accepts %s', (path) => {
    expect(ownPath(path)).toBe(path);
  });

  test.each([
    '//evil.test',
    '/\\evil.test',
    '/.//evil.test',
    '/reports/..//evil.test',
    '/\t/evil.test',
    'https://evil.test/',
    'javascript:alert(1)',
    'reports',
    '',
    undefined,
    null,
    7,
  ])('rejects %j', (path) => {
    expect(ownPath(path)).toBeUndefined();
  });
});

test('replaces a missing or foreign destination by the start page', () => {
  expect(destinationOf(null)).toBe('/');
  expect(destinationOf({ from: '//evil.test' })).toBe('/');
  expect(destinationOf({ from: '/reports' })).toBe('/reports');
});
