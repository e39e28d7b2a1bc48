import { describe, expect, test } from '@jest/globals';
import { type ConfigError, Environment } from './environment.js';
import { readAuth } from './keys.config.js';

const read = (ADMIN_EMAIL: string) => {
  const env = new Environment({ ADMIN_EMAIL, ADMIN_PASSWORD: 'plum harbour violet thirteen' });
  return { admin: readAuth(env).firstAdmin, problems: problemsOf(env) };
};

/** Of the first admin: the keys are missing. */
const problemsOf = (env: Environment): readonly string[] => {
  try {
    env.check();
    return [];
  } catch (error) {
    return (error as ConfigError).problems.filter((problem) => problem.startsWith('ADMIN_'));
  }
};

describe('ADMIN_EMAIL', () => {
  test.each([
    'admin',
    'admin@',
    'Ada <ada@example.com>',
    'ada@example.com,ben@example.com',
    'x@erased.invalid',
  ])('CFG-01: %s is refused by the name of the variable, because no sign-in accepts it', (address) => {
    expect(read(address).problems).toEqual(['ADMIN_EMAIL must be a single email address']);
  });

  test.each(['ada@example.com', '"ada@example.com"', "'ada@example.com'", 'mailto:ada@example.com'])(
    '%s is the address ada@example.com, as at the sign-in',
    (address) => {
      expect(read(address)).toEqual({
        admin: { email: 'ada@example.com', password: 'plum harbour violet thirteen' },
        problems: [],
      });
    },
  );
});
