import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { bodyOf, newSecret, signedHeaders } from './webhook-message.js';

const message = {
  id: 'a',
  type: 'user.invited',
  at: new Date('2026-11-23T08:00:00Z'),
  data: { user_id: 'b' },
};

test('the library accepts the signature of each live secret, and of no other', () => {
  const secrets = [newSecret(), newSecret()];
  const body = bodyOf(message);
  const headers = signedHeaders('a', body, secrets, new Date());
  for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow('No matching signature');
  expect(() => new Webhook(secrets[0] as string).verify(`${body} `, headers)).toThrow(
    'No matching signature',
  );
});

test('a body stays below 20 kB', () => {
  const body = bodyOf({ ...message, data: { text: 'ä'.repeat(10_000) } });
  expect(JSON.parse(body)).toMatchObject({ type: 'user.invited', data: { truncated: true } });
});
