import { describe, expect, test } from '@jest/globals';
import type { Tables } from './evidence.js';
import { audit, entry, evidence, invitation } from './sample.js';
import {
  atomicity,
  auditCompleteness,
  nothingDuplicated,
  nothingLost,
  possibleFinalValues,
} from './writes.js';

const tables = (changes: Partial<Tables>): Tables => ({ ...evidence().tables, ...changes });
const ada = { id: 'u1', email: 'ada', name: 'Version 2', status: 'active' };
const created = audit({ action: 'invitation_created', target_type: 'invitation', target_id: 'i1' });

describe('invariant: nothing lost', () => {
  const invited = entry({ op: 'invite', key: 'guest-1' });
  const renamed = [
    entry({ op: 'rename', key: 'u1', value: 'Version 1', t_invoke: 1_000 }),
    entry({ op: 'rename', key: 'u1', value: 'Version 2', t_invoke: 2_000 }),
  ];

  test('accepts when every acknowledged write is stored', () => {
    const found = tables({ users: [ada], invitations: [invitation()] });
    expect(nothingLost(evidence({ history: [invited, ...renamed], tables: found }))).toEqual([]);
  });

  test('detects a lost invitation', () => {
    expect(nothingLost(evidence({ history: [invited] }))).toHaveLength(1);
  });

  test('detects a lost account', () => {
    expect(nothingLost(evidence({ history: [entry({ op: 'accept', key: 'guest-1' })] }))).toHaveLength(1);
  });

  test('detects a lost session', () => {
    expect(nothingLost(evidence({ history: [entry({ op: 'login', sid: 's9' })] }))).toHaveLength(1);
  });

  test('detects an older value', () => {
    const old = tables({ users: [{ ...ada, name: 'Version 1' }] });
    expect(nothingLost(evidence({ history: renamed, tables: old }))).toHaveLength(1);
  });

  test('detects a removed grant that reappears', () => {
    const back = tables({ memberships: [{ user_id: 'u1', workspace_id: 'w1', role: 'viewer' }] });
    const history = [entry({ op: 'remove_member', key: 'w1/u1' })];
    expect(nothingLost(evidence({ history, tables: back }))).toHaveLength(1);
  });

  test('accepts either outcome of a write without a response', () => {
    const lost = entry({ op: 'rename', value: 'Version 3', status: 0, t_invoke: 3_000 });
    expect(possibleFinalValues([...renamed, lost])).toEqual(['Version 2', 'Version 3']);
    expect(possibleFinalValues([lost])).toBeUndefined();
  });
});

describe('invariant: nothing duplicated', () => {
  const mail = (messageId: string) => ({ at: 0, to: 'guest-1', messageId, token: null });
  const invited = entry({ op: 'invite', key: 'guest-1', value: 'i1' });

  test('accepts one of each', () => {
    const found = tables({ users: [ada], invitations: [invitation()], audit: [created] });
    const mails = [mail('<1>'), mail('<1>')];
    expect(nothingDuplicated(evidence({ history: [invited], tables: found, mails }))).toEqual([]);
  });

  test.each([
    ['two accounts of one address', { tables: tables({ users: [ada, { ...ada, id: 'u2', email: 'ADA' }] }) }],
    [
      'an invitation accepted twice',
      { history: [entry({ op: 'accept', key: 'x' }), entry({ op: 'accept', key: 'x' })] },
    ],
    ['two events of one invitation', { tables: tables({ audit: [created, created] }) }],
    ['three mails', { history: [invited], mails: [mail('<1>'), mail('<1>'), mail('<1>')] }],
    ['mails with different ids', { history: [invited], mails: [mail('<1>'), mail('<2>')] }],
    [
      'two invitations for one key',
      { history: [invited, entry({ op: 'invite', key: 'guest-1', value: 'i2' })] },
    ],
  ])('detects %s', (_name, changes) => {
    expect(nothingDuplicated(evidence(changes))).toHaveLength(1);
  });

  test('detects two pending invitations for one address', () => {
    const found = tables({ invitations: [invitation(), invitation({ id: 'i2' })] });
    expect(nothingDuplicated(evidence({ tables: found }))).not.toEqual([]);
  });
});

describe('invariant: atomicity', () => {
  const accepted = invitation({ accepted_at: 5, user_id: 'u1', email: 'ada' });
  const acceptance = audit({ action: 'invitation_accepted', target_type: 'invitation', target_id: 'i1' });
  const membership = { user_id: 'u1', workspace_id: 'w1', role: 'viewer' };
  const whole = {
    users: [ada],
    memberships: [membership],
    invitations: [accepted],
    audit: [created, acceptance],
  };

  test('accepts a complete change', () => {
    expect(atomicity(evidence({ tables: tables(whole) }))).toEqual([]);
  });

  test.each([
    ['no account', { users: [] }],
    ['no membership', { memberships: [] }],
    ['no event of the acceptance', { audit: [created] }],
    ['no event of the invitation', { audit: [acceptance] }],
    ['no job', { invitations: [{ ...accepted, jobs: 0 }] }],
    ['an event without an effect', { audit: [created, acceptance, { ...created, target_id: 'i9' }] }],
    ['an account and an open invitation', { invitations: [{ ...accepted, accepted_at: null }] }],
  ])('detects %s', (_name, changes) => {
    expect(atomicity(evidence({ tables: tables({ ...whole, ...changes }) }))).toHaveLength(1);
  });

  test('detects a mail without an invitation', () => {
    const mails = [{ at: 0, to: 'guest-9', messageId: '<9>', token: null }];
    expect(atomicity(evidence({ mails }))).toHaveLength(1);
  });
});

describe('invariant: audit completeness', () => {
  const session = { id: 's1', user_id: 'u1', ended_at: null, end_reason: null };

  test('accepts an event for each effect', () => {
    expect(
      auditCompleteness(evidence({ tables: tables({ sessions: [session], audit: [audit({})] }) })),
    ).toEqual([]);
  });

  test.each([
    ['a session without its event', { tables: tables({ sessions: [session] }) }],
    ['a failure without its event', { history: [entry({ op: 'guess', status: 401 })] }],
    ['a disabled user without an event', { history: [entry({ op: 'disable' })] }],
    [
      'a reuse without its event',
      {
        tables: tables({
          sessions: [{ ...session, end_reason: 'refresh_token_reused' }],
          audit: [audit({})],
        }),
      },
    ],
    [
      'an end without its event',
      { tables: tables({ sessions: [{ ...session, end_reason: 'signed_out' }], audit: [audit({})] }) },
    ],
  ])('detects %s', (_name, changes) => {
    expect(auditCompleteness(evidence(changes))).toHaveLength(1);
  });
});
