import { availableParallelism } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import { Problem } from '../src/core/problems/problem.js';
import { Config } from '../src/core/config/config.js';
import { BreachedPasswordsService } from '../src/users/breached-passwords.service.js';
import { PasswordsService } from '../src/users/passwords.service.js';
import { environmentFor } from './support/environment.js';

const config = Config.load(
  environmentFor({ databaseUrl: 'postgres://127.0.0.1/none', emulatorUrl: 'http://127.0.0.1:1' }),
);
const cores = availableParallelism();
const room = Math.min(cores, 4) + cores * 32;

describe('password hashing', () => {
  test('LOAD-02 runs on all cores, queues 32 per core, and rejects the rest immediately', async () => {
    const passwords = new PasswordsService(config, new BreachedPasswordsService(config));
    /** In the order in which they end. */
    const outcomes: unknown[] = [];
    await Promise.all(
      Array.from({ length: room + 100 }, () =>
        passwords
          .verify(null, 'whatever it is')
          .catch((error: unknown) => error)
          .then((outcome) => outcomes.push(outcome)),
      ),
    );
    const refused = outcomes.filter((outcome) => outcome instanceof Problem);
    // On a machine that is busy otherwise some of the queue has waited for two seconds, and is turned away then.
    const verified = outcomes.filter((outcome) => outcome === false);
    expect(verified.length + refused.length).toBe(room + 100);
    expect(verified.length).toBeGreaterThan(0);
    expect(verified.length).toBeLessThanOrEqual(room);
    expect(refused[0]).toMatchObject({ code: 'service_unavailable', retryAfter: 2 });
    // Before the first hash is computed.
    expect(outcomes.indexOf(false)).toBeGreaterThanOrEqual(100);
    expect(await passwords.verify(null, 'whatever it is')).toBe(false);
  });
});
