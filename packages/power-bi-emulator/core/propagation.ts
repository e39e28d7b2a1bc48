import type { Member } from '../content/model.js';
import type { Emulator } from '../emulator.js';
import type { Principal } from '../rest/bearer.js';

/** New grants take effect after a delay, unless their holder refreshes its permissions. */
export class Propagation {
  private refreshed = new Map<string, number>();

  constructor(private readonly emulator: Emulator) {}

  isOver({ since }: Member, principal: Principal): boolean {
    if (since === undefined) return true;
    const now = this.emulator.clock.now().getTime();
    if (now >= since + this.emulator.settings.propagation_seconds * 1000) return true;
    const refreshedAt = this.refreshed.get(keyOf(principal));
    return refreshedAt !== undefined && refreshedAt >= since && now >= refreshedAt + this.delay();
  }

  refresh(principal: Principal): void {
    this.refreshed.set(keyOf(principal), this.emulator.clock.now().getTime());
  }

  private delay(): number {
    return this.emulator.guess('refresh_permissions_delay') === '2_minutes' ? 120_000 : 0;
  }
}

function keyOf({ clientId, profile, upn }: Principal): string {
  return `${clientId}/${profile ?? upn ?? ''}`;
}
