import { describe, expect, test } from '@jest/globals';
import { patchedUser } from './user-body.js';

const emailAfter = (op: string, email: object, path?: string): string | undefined => {
  const value = path === undefined ? { emails: [email] } : [email];
  return patchedUser({ Operations: [{ op, path, value }] }).email;
};

describe('PATCH of emails', () => {
  const home = { type: 'home', value: 'home@example.com' };

  test.each([['emails'], [undefined]])('add of a home address keeps the sign-in address: path %s', (path) => {
    expect(emailAfter('add', home, path)).toBeUndefined();
    expect(emailAfter('Add', { ...home, primary: false }, path)).toBeUndefined();
  });

  test('add of a primary address, of one at work and of one without a type sets it', () => {
    for (const given of [{ type: 'home', primary: true }, { type: 'work' }, {}]) {
      expect(emailAfter('add', { ...given, value: 'new@example.com' }, 'emails')).toBe('new@example.com');
    }
  });

  test('replace sets the only address', () => {
    expect(emailAfter('replace', home, 'emails')).toBe('home@example.com');
  });
});
