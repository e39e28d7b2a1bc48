import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

interface Entry {
  payload: AdapterPayload;
  until: number;
}

type Entries = Map<string, Entry>;

/** In-memory store for the sessions and tokens of the emulated provider. */
export function memoryStore(): AdapterFactory {
  const all = new Map<string, Entries>();
  return (name) => {
    const entries = all.get(name) ?? new Map<string, Entry>();
    all.set(name, entries);
    return storeOf(entries, all);
  };
}

function storeOf(entries: Entries, all: ReadonlyMap<string, Entries>): Adapter {
  const current = ({ payload, until }: Entry): AdapterPayload | undefined =>
    until > Date.now() ? payload : undefined;
  const findBy = async (name: 'uid' | 'userCode', value: string) =>
    [...entries.values()].map(current).find((payload) => payload?.[name] === value);
  return {
    upsert: async (id, payload, seconds = 3600) => {
      entries.set(id, { payload, until: Date.now() + seconds * 1000 });
    },
    find: async (id) => {
      const entry = entries.get(id);
      return entry && current(entry);
    },
    findByUid: (uid) => findBy('uid', uid),
    findByUserCode: (code) => findBy('userCode', code),
    consume: async (id) => {
      const entry = entries.get(id);
      if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => {
      entries.delete(id);
    },
    revokeByGrantId: async (grantId) => {
      for (const kind of all.values()) {
        for (const [id, { payload }] of kind) if (payload.grantId === grantId) kind.delete(id);
      }
    },
  };
}
