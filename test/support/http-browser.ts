export interface Page {
  url: URL;
  status: number;
  headers: Headers;
  text: string;
}

type Jar = Map<string, string>;

const isGone = (attributes: string): boolean => /max-age=0|expires=thu, 01 jan 1970/i.test(attributes);

/** An HTTP client with cookies per origin, which follows redirects to known hosts. */
export class HttpBrowser {
  private readonly jars = new Map<string, Jar>();

  /** `hosts`: public origins, and the URLs where they are served. */
  constructor(private readonly hosts: Record<string, string>) {}

  cookies(origin: string): Jar {
    const jar = this.jars.get(origin) ?? new Map<string, string>();
    this.jars.set(origin, jar);
    return jar;
  }

  async open(address: string): Promise<Page> {
    const page = await this.request(address);
    const location = page.headers.get('location');
    if (location === null) return page;
    const next = new URL(location, page.url);
    return this.hosts[next.origin] === undefined ? { ...page, url: next } : this.open(next.href);
  }

  /** One request, no redirect followed. */
  async request(address: string, init: RequestInit = {}): Promise<Page> {
    const url = new URL(address);
    const jar = this.cookies(url.origin);
    const response = await fetch(`${this.hosts[url.origin] ?? url.origin}${url.pathname}${url.search}`, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value, attributes] = /^([^=]+)=([^;]*);?(.*)$/.exec(cookie) as unknown as string[];
      if (isGone(attributes as string)) jar.delete(name as string);
      else jar.set(name as string, value as string);
    }
    return { url, status: response.status, headers: response.headers, text: await response.text() };
  }
}
