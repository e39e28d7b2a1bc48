import { expect, test } from '@jest/globals';
import { Environment } from './environment.js';
import { readUsage } from './usage.config.js';

const zone = (USAGE_TIME_ZONE: string) => {
  const env = new Environment({ USAGE_TIME_ZONE });
  const { timeZone } = readUsage(env);
  env.check();
  return timeZone;
};

test.each(['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])(
  'USAGE_TIME_ZONE accepts %s',
  (name) => expect(zone(name)).toBe(name),
);

test.each(['Europe/Atlantis', 'Berlin', '+01:00', 'GMT+1', 'Europe/Berlin; DROP TABLE users', "Europe/'"])(
  'USAGE_TIME_ZONE rejects %s',
  (name) => expect(() => zone(name)).toThrow('USAGE_TIME_ZONE'),
);
