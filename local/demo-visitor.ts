import { randomBytes } from 'node:crypto';

const MAX_REDIRECTS = 12;
const isGone = (attributes: string): boolean => /max-age=0|expires=thu, 01 jan 1970/i.test(attributes);

interface Addresses {
  /** Where the service listens. */
  url: string;
  /** The origin in its own links, which may be reachable from another machine only. */
  publicUrl: string;
}

/** A browser without pages: follows redirects and stores cookies, by origin. */
class Visitor {
  private readonly cookies = new Map<string, Map<string, string>>();

  constructor(
    private readonly addresses: Addresses,
    private readonly signal: AbortSignal,
  ) {}

  async open(address: string): Promise<{ url: URL; text: string }> {
    let url = new URL(address);
    for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
      const response = await this.request(url);
      const location = response.headers.get('location');
      if (location === null) return { url, text: await response.text() };
      await response.body?.cancel();
      url = new URL(location, url);
    }
    throw new Error(`Too many redirects from ${new URL(address).origin}`);
  }

  private async request(url: URL): Promise<Response> {
    const { origin } = new URL(this.addresses.publicUrl);
    const host = url.origin === origin ? this.addresses.url : url.origin;
    const jar = this.cookies.get(url.origin) ?? new Map<string, string>();
    this.cookies.set(url.origin, jar);
    const response = await fetch(`${host}${url.pathname}${url.search}`, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      signal: this.signal,
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*);?(.*)$/.exec(cookie) ?? [];
      if (isGone(attributes)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }
}

/**
 * Signs a person in at the emulated provider, which creates the account by the sign-in rules. The code that the portal would
 * exchange for a session expires unused.
 */
export async function signInOnce(addresses: Addresses, sub: string, signal: AbortSignal): Promise<void> {
  const visitor = new Visitor(addresses, signal);
  const challenge = randomBytes(32).toString('base64url');
  const list = await visitor.open(`${addresses.publicUrl}/login?code_challenge=${challenge}`);
  const link = new RegExp(`id="${sub}" href="([^"]+)"`).exec(list.text)?.[1];
  if (link === undefined) throw new Error(`${sub} is not in the list of the sign-in page`);
  await visitor.open(new URL(link, list.url).href);
}
