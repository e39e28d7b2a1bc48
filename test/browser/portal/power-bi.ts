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

  /** Injects a fault, for embed tokens unless another path is given. */
  fault(fault: object): Promise<void> {
    return this.send('POST', 'faults', { path: 'GenerateToken', ...fault });
  }

  clearFaults(): Promise<void> {
    return this.send('DELETE', 'faults');
  }

  private async send(method: string, path: string, body?: object): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${this.url}/__emulator/${path}`, sent);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }
}
