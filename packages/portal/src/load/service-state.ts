import { basePath } from '../settings.js';

/** `updated`: the service has another build than the one that runs here. */
export type ServiceState = 'unreachable' | 'same' | 'updated';

const TIMEOUT_MS = 10_000;

/** The file that a page starts with; the build puts a hash of the content into its name. */
const entryOf = (page: Document): string | undefined =>
  page.querySelector('script[type=module][src]')?.getAttribute('src')?.split('/').at(-1);

/** Compares the page that the service has now with the one that runs here. */
export async function serviceState(): Promise<ServiceState> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${basePath}/sign-in`, {
      cache: 'no-store',
      headers: { Accept: 'text/html' },
      signal,
    });
    if (!response.ok) return 'unreachable';
    const served = new DOMParser().parseFromString(await response.text(), 'text/html');
    return entryOf(served) === entryOf(document) ? 'same' : 'updated';
  } catch {
    return 'unreachable';
  }
}
