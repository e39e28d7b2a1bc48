import type { DataSource } from 'typeorm';
import type { Answer } from './client.js';
import { password } from './factory.js';
import type { Service } from './service.js';

/** With it X-Forwarded-For is believed, so that a test can come from anywhere. */
export const behindProxy = { TRUST_PROXY: '127.0.0.1' };

let addresses = 0;

/** An address that nobody had before. */
export const newAddress = (): string => {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

interface Guess {
  url: string;
  email: string;
  password?: string;
  from?: string;
}

/** Signs in, or tries to. */
export async function signIn(guess: Guess): Promise<Answer> {
  const { email, from } = guess;
  const response = await fetch(new URL('/api/auth/token', guess.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(from !== undefined && { 'x-forwarded-for': from }) },
    body: JSON.stringify({ email, password: guess.password ?? password }),
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}

export const guess = (given: Guess): Promise<Answer> => signIn({ password: 'not the right one', ...given });

/** Guesses one after the other and answers the statuses. */
export async function guessTimes(times: number, given: Guess): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) statuses.push((await guess(given)).status);
  return statuses;
}

export const retryAfter = ({ headers }: Answer): number => Number(headers.get('retry-after'));

/**
 * Time goes by: what was counted lies further back. (The limiter reads the machine's clock, so its rows are moved
 * instead, which is the same to it.)
 */
export async function passTime(service: Service, seconds: number): Promise<void> {
  service.clock.advance(seconds);
  await moveLimits(service.database, seconds);
}

const moveLimits = (database: DataSource, seconds: number): Promise<unknown> =>
  database.query('UPDATE rate_limits SET expire = expire - $1::bigint', [seconds * 1000]);
