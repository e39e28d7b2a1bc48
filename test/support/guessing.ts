import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { ApiResponse } from './client.js';
import { password } from './factory.js';
import type { Service } from './service.js';

/** Trusts X-Forwarded-For, so that a test can use any client address. */
export const behindProxy = { TRUST_PROXY: '127.0.0.1' };

let addresses = 0;

/** An unused address. */
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

/** Sends a sign-in. */
export async function signIn(guess: Guess): Promise<ApiResponse> {
  const { email, from } = guess;
  const response = await fetch(new URL('/api/auth/token', guess.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(from !== undefined && { 'x-forwarded-for': from }) },
    body: JSON.stringify({ email, password: guess.password ?? password }),
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}

export const guess = (given: Guess): Promise<ApiResponse> =>
  signIn({ password: 'not the right one', ...given });

/** Sends guesses one after the other and returns the statuses. */
export async function guessTimes(times: number, given: Guess): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) statuses.push((await guess(given)).status);
  return statuses;
}

export const retryAfter = ({ headers }: ApiResponse): number => Number(headers.get('retry-after'));

/** Repeats a request that a busy service refused (503), as a client does: of many passwords at once only some are verified. */
export async function accepted<T extends ApiResponse>(send: () => Promise<T>): Promise<T> {
  const response = await send();
  if (response.status !== 503) return response;
  await sleep(retryAfter(response) * 1000);
  return accepted(send);
}

/**
 * Advances the clock of the service and shifts the stored rate limits, because the limiter uses the system
 * clock.
 */
export async function passTime(service: Service, seconds: number): Promise<void> {
  service.clock.advance(seconds);
  await moveLimits(service.database, seconds);
}

const moveLimits = (database: DataSource, seconds: number): Promise<unknown> =>
  database.query('UPDATE rate_limits SET expire = expire - $1::bigint', [seconds * 1000]);
