/** Hosts that a report may be embedded from: a token goes to that address. */
export class EmbedHosts {
  constructor(private readonly hosts: readonly string[]) {}

  allow(url: string): boolean {
    return URL.canParse(url) && this.hosts.includes(new URL(url).hostname);
  }
}
