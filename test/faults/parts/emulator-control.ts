import type { Call, Fault } from '@vitrine/power-bi-emulator';

/** The control routes of the emulator, without a proxy. */
export class EmulatorControl {
  constructor(readonly url: string) {}

  async fault(fault: Fault): Promise<void> {
    await this.send('POST', '/faults', fault);
  }

  async clearFaults(): Promise<void> {
    await this.send('DELETE', '/faults');
  }

  async settings(changes: object): Promise<void> {
    await this.send('PATCH', '/settings', changes);
  }

  async calls(): Promise<Call[]> {
    return ((await this.send('GET', '/calls')) as { calls: Call[] }).calls;
  }

  async content(size: { workspaces: number; reports_per_workspace: number }): Promise<void> {
    await this.send('POST', '/content', size);
  }

  async send(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.url}/__emulator${path}`, {
      method,
      signal: AbortSignal.timeout(30_000),
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${method} ${path} of the emulator returned ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
}
