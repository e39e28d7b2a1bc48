import type { CustomFetch } from 'openid-client';
import { Agent, fetch as undiciFetch } from 'undici';

const MAX_BYTES = 2 * 1024 * 1024;

/** HTTP client for the provider, limited in time and size. Redirects are not followed; callers reject them. */
export function providerFetch(): { fetch: CustomFetch; close: () => Promise<void> } {
  const dispatcher = new Agent({
    connect: { timeout: 2000 },
    headersTimeout: 5000,
    bodyTimeout: 5000,
    maxResponseSize: MAX_BYTES,
  });
  const fetch: CustomFetch = (url, options) =>
    undiciFetch(url, { ...options, redirect: 'manual', dispatcher });
  return { fetch, close: () => dispatcher.close() };
}
