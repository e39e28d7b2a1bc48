import { ask, type Wanted } from './ask.js';
import { Follower } from './follower.js';
import { Keeper } from './keeper.js';
import type { EmbedTokens, KeepOptions, ServiceOptions } from './types.js';
import type { World } from './world.js';

/** As many keepers as there are reports open, for each access. */
export function embedTokensIn(world: World, service: ServiceOptions): EmbedTokens {
  const keepers = new Map<string, Keeper>();
  const keeperOf = (wanted: Wanted): Keeper => {
    const key = JSON.stringify([wanted.reportId, wanted.access]);
    const keeper = keepers.get(key) ?? make(wanted, () => keepers.delete(key));
    keepers.set(key, keeper);
    return keeper;
  };
  const make = (wanted: Wanted, onDone: () => void): Keeper =>
    new Keeper({ world, ask: (signal) => ask(service, wanted, signal), onDone });
  return {
    keep: (options: KeepOptions) =>
      new Follower(keeperOf({ reportId: options.reportId, access: options.access ?? 'view' }), options),
  };
}
