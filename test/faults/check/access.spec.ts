import { describe, expect, test } from '@jest/globals';
import {
  guessBound,
  monotonic,
  noUnauthorizedAccess,
  revocationIsFinal,
  rotation,
  tenantIsolation,
} from './access.js';
import type { Tables } from './evidence.js';
import { audit, entry, evidence } from './sample.js';

const tables = (changes: Partial<Tables>): Tables => ({ ...evidence().tables, ...changes });
const session = { id: 's1', user_id: 'ada-id', ended_at: null, end_reason: null };
const ada = { id: 'ada-id', email: 'ada', isAdmin: false, workspaces: ['w1'] };

describe('invariant: no access without a session', () => {
  const answered = entry({ sid: 's1', t_invoke: 5_000 });

  test('accepts a session that is active, or ended a moment ago', () => {
    const sessions = [{ ...session, ended_at: 4_500 }];
    expect(noUnauthorizedAccess(evidence({ history: [answered], tables: tables({ sessions }) }))).toEqual([]);
  });

  test('accepts a session whose end waits for the database, until its request is answered', () => {
    const given = tables({ sessions: [{ ...session, ended_at: 2_950 }] });
    const ending = (t_done: number) =>
      entry({ op: 'sign_out', key: 's1', sid: 's1', t_invoke: 2_900, t_done });
    const breaches = (t_done: number) =>
      noUnauthorizedAccess(evidence({ history: [ending(t_done), answered], tables: given }));
    expect(breaches(4_500)).toEqual([]);
    expect(breaches(3_500)).toHaveLength(1);
  });

  test.each([
    ['no session', tables({})],
    ['a session that ended', tables({ sessions: [{ ...session, ended_at: 3_000 }] })],
    [
      'a session of a user disabled in between',
      tables({
        sessions: [session],
        audit: [
          audit({}),
          audit({ action: 'user_disabled', target_type: 'user', target_id: 'ada-id', at: 3_000 }),
        ],
      }),
    ],
  ])('detects %s', (_name, given) => {
    expect(noUnauthorizedAccess(evidence({ history: [answered], tables: given }))).toHaveLength(1);
  });

  test('detects an attack that succeeded', () => {
    expect(noUnauthorizedAccess(evidence({ history: [entry({ op: 'hostile' })] }))).toHaveLength(1);
  });
});

describe('invariant: revocation is final', () => {
  const out = entry({ op: 'sign_out', key: 's1', sid: 's1', t_done: 2_000, replica: 'one' });

  test('accepts a rejection, and on other replicas success within a second', () => {
    const elsewhere = entry({ sid: 's1', t_invoke: 2_500, replica: 'two' });
    const refused = entry({ sid: 's1', t_invoke: 2_100, replica: 'one', status: 401 });
    expect(revocationIsFinal(evidence({ history: [out, elsewhere, refused] }))).toEqual([]);
  });

  test.each([
    ['on the same replica', 2_100, 'one'],
    ['on another replica after a second', 3_200, 'two'],
  ])('detects success %s', (_name, t_invoke, replica) => {
    const history = [out, entry({ sid: 's1', t_invoke, replica })];
    expect(revocationIsFinal(evidence({ history }))).toHaveLength(1);
  });

  test('detects success of a disabled user', () => {
    const history = [
      entry({ op: 'disable', key: 'ada-id', t_done: 2_000 }),
      entry({ op: 'probe_access', t_invoke: 3_500 }),
    ];
    expect(revocationIsFinal(evidence({ history, people: [ada] }))).toHaveLength(1);
  });
});

describe('invariant: rotation', () => {
  const traded = (value: string) => entry({ op: 'refresh', key: 's1:old', value });

  test('accepts the same successor twice', () => {
    expect(rotation(evidence({ history: [traded('new'), traded('new')] }))).toEqual([]);
  });

  test.each([
    ['two successors', { history: [traded('new'), traded('other')] }],
    ['an old token works', { history: [entry({ op: 'reuse', sid: 's1' })] }],
    ['an ended token family that still works', { history: [entry({ op: 'probe_refresh', sid: 's1' })] }],
    [
      'the session continues',
      { history: [entry({ op: 'reuse', sid: 's1', status: 401 })], tables: tables({ sessions: [session] }) },
    ],
  ])('detects %s', (_name, changes) => {
    expect(rotation(evidence(changes))).toHaveLength(1);
  });
});

describe('invariant: tenant isolation', () => {
  const saw = (places: string[], t_invoke = 5_000) =>
    entry({ op: 'list', workspacesSeen: places, t_invoke, t_done: t_invoke + 50 });
  const given = entry({
    op: 'set_member',
    key: 'w2/ada-id',
    value: 'viewer',
    t_invoke: 2_000,
    t_done: 2_100,
  });
  const taken = entry({ op: 'remove_member', key: 'w2/ada-id', t_invoke: 3_000, t_done: 3_100 });

  test('accepts rows that are granted, or were granted until a second ago', () => {
    const history = [given, saw(['w1', 'w2']), taken, saw(['w1', 'w2'], 4_000)];
    expect(tenantIsolation(evidence({ history: history.slice(0, 2), people: [ada] }))).toEqual([]);
    expect(tenantIsolation(evidence({ history: [given, taken, saw(['w2'], 4_000)], people: [ada] }))).toEqual(
      [],
    );
  });

  test.each([
    ['never granted', [saw(['w2'])]],
    ['removed long ago', [given, taken, saw(['w2'])]],
  ])('detects rows that were %s', (_name, history) => {
    expect(tenantIsolation(evidence({ history, people: [ada] }))).toHaveLength(1);
  });

  describe('invariant: calls to Power BI', () => {
    const id = '11111111-1111-4111-8111-111111111111';
    const known = { upstream: new Map([[id, 'w1']]), places: new Map([['r1', 'w1']]) };
    const history = [entry({ op: 'embed', key: 'r1', actor: 'ada', t_invoke: 4_900, t_done: 5_100 })];
    const asked = (username?: string) => {
      const identities = username === undefined ? [] : [{ username }];
      const body = { reports: [{ id }], identities };
      return [
        {
          at: new Date(5_000).toISOString(),
          method: 'POST',
          path: '/v1.0/myorg/GenerateToken',
          query: {},
          body,
        },
      ];
    };

    test('accepts calls that a request caused, with the identity of its user', () => {
      expect(tenantIsolation(evidence({ calls: asked(), history, ...known }))).toEqual([]);
      expect(tenantIsolation(evidence({ calls: asked('ada'), history, ...known }))).toEqual([]);
    });

    test('detects calls without a request, or with another identity', () => {
      expect(tenantIsolation(evidence({ calls: asked(), ...known }))).toHaveLength(1);
      expect(tenantIsolation(evidence({ calls: asked('grace'), history, ...known }))).toHaveLength(1);
    });
  });
});

describe('invariant: guess bound', () => {
  const guesses = (count: number, from: (index: number) => string) =>
    Array.from({ length: count }, (_, index) =>
      entry({ op: 'guess', key: 'ada', value: from(index), status: 401 }),
    );

  test('accepts twenty guesses from many addresses, five from one address', () => {
    expect(guessBound(evidence({ history: guesses(20, String) }))).toEqual([]);
    expect(guessBound(evidence({ history: guesses(5, () => 'here') }))).toEqual([]);
  });

  test('detects more guesses', () => {
    expect(guessBound(evidence({ history: guesses(30, String) }))).toHaveLength(1);
    expect(guessBound(evidence({ history: guesses(6, () => 'here') }))).toHaveLength(1);
    const failed = audit({ action: 'sign_in_failed', target_type: 'user', target_id: 'ada-id' });
    const trail = tables({ audit: Array.from({ length: 30 }, () => failed) });
    expect(guessBound(evidence({ tables: trail, people: [ada] }))).toHaveLength(1);
  });
});

describe('invariant: monotonic sessions', () => {
  const wrote = (version: number, status = 200) =>
    entry({ op: 'rename', key: 'u1', value: `Version ${version}`, t_done: 1_000 * version, status });
  const read = (version: number, t_invoke: number) =>
    entry({ op: 'read_name', key: 'u1', value: `Version ${version}`, t_invoke });

  test('accepts the acknowledged value, or one that is being written', () => {
    expect(monotonic(evidence({ history: [wrote(1), wrote(2), read(2, 2_500), read(1, 1_500)] }))).toEqual(
      [],
    );
  });

  test('detects an older value', () => {
    expect(monotonic(evidence({ history: [wrote(1), wrote(2), read(1, 2_500)] }))).toHaveLength(1);
  });
});
