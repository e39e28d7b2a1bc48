import { expect } from '@jest/globals';
import type { Client } from '../support/client.js';
import type { Service } from '../support/service.js';

/** The response of an access review. `query` begins with `?`. */
export async function downloadReview(
  { url }: Pick<Service, 'url'>,
  { token }: Client,
  query = '',
  Accept = 'application/x-ndjson',
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, Accept };
  const response = await fetch(`${url}/api/access/review${query}`, { headers });
  expect(response.status).toBe(200);
  return response;
}

/** The rows of an NDJSON file. */
export const linesOf = <T>(text: string): T[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
