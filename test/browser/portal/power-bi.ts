import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Portal } from './portal.js';

/** The knobs of the emulator behind a portal. */
export class PowerBi {
  readonly url: string;

  constructor({ started }: Portal) {
    const text = readFileSync(join(started.dataDir, 'emulator.json'), 'utf8');
    this.url = (JSON.parse(text) as { url: string }).url;
  }

  settings(change: object): Promise<void> {
    return this.send('PATCH', 'settings', change);
  }

  capacities(state: 'Active' | 'Suspended'): Promise<void> {
    return this.send('POST', 'capacities', { state });
  }

  /** What it answers next, where it is asked for embed tokens unless another path is named. */
  fault(fault: object): Promise<void> {
    return this.send('POST', 'faults', { path: 'GenerateToken', ...fault });
  }

  clearFaults(): Promise<void> {
    return this.send('DELETE', 'faults');
  }

  private async send(method: string, path: string, body?: object): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${this.url}/__emulator/${path}`, sent);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  }
}
