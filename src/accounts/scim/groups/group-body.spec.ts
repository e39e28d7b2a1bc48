import { describe, expect, test } from '@jest/globals';
import { groupBody, groupPatch } from './group-body.js';
import { ScimError } from '../scim.errors.js';

const patch = (...Operations: object[]): object =>
  groupPatch({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations });

const members = (isReplaced: boolean, added: string[], removed: string[] = []): object => ({
  members: { isReplaced, added, removed },
});

describe('groupPatch', () => {
  test.each<[string, object, object]>([
    ['add one member', { op: 'add', path: 'members', value: [{ value: 'a' }] }, members(false, ['a'])],
    ['add in Pascal case', { op: 'Add', path: 'members', value: [{ value: 'a' }] }, members(false, ['a'])],
    ['add one object', { op: 'add', path: 'members', value: { value: 'a' } }, members(false, ['a'])],
    ['add bare ids', { op: 'add', path: 'members', value: ['a', 'b'] }, members(false, ['a', 'b'])],
    ['add one bare id', { op: 'add', path: 'members', value: 'a' }, members(false, ['a'])],
    ['add without a path', { op: 'add', value: { members: [{ value: 'a' }] } }, members(false, ['a'])],
    ['remove by a filter', { op: 'remove', path: 'members[value eq "a"]' }, members(false, [], ['a'])],
    [
      'remove by a filter of several ids',
      { op: 'remove', path: 'members[value eq "a" or value eq "b"]' },
      members(false, [], ['a', 'b']),
    ],
    [
      'remove by a filter with the schema, in another case',
      { op: 'remove', path: 'urn:ietf:params:scim:schemas:core:2.0:Group:Members[VALUE EQ "a"]' },
      members(false, [], ['a']),
    ],
    [
      'remove an array',
      { op: 'Remove', path: 'members', value: [{ value: 'a' }, { value: 'b' }] },
      members(false, [], ['a', 'b']),
    ],
    ['remove all', { op: 'remove', path: 'members' }, members(true, [])],
    ['remove an empty array', { op: 'remove', path: 'members', value: [] }, {}],
    ['replace all', { op: 'replace', path: 'members', value: [{ value: 'a' }] }, members(true, ['a'])],
    ['replace with null', { op: 'replace', path: 'members', value: null }, members(true, [])],
    ['replace with an empty array', { op: 'replace', path: 'members', value: [] }, members(true, [])],
    [
      'replace without a path, with the id',
      { op: 'replace', value: { id: 'x', displayName: 'Sales' } },
      { name: 'Sales' },
    ],
    [
      'replace without a path, with the schema',
      {
        op: 'Replace',
        value: { 'urn:ietf:params:scim:schemas:core:2.0:Group:displayName': 'Sales', members: [] },
      },
      { name: 'Sales', ...members(true, []) },
    ],
    ['displayName', { op: 'Replace', path: 'displayName', value: 'Sales' }, { name: 'Sales' }],
    [
      'displayName in another case',
      { op: 'replace', path: 'displayname', value: 'Sales' },
      { name: 'Sales' },
    ],
    ['externalId', { op: 'add', path: 'externalId', value: '1' }, { externalId: '1' }],
    ['externalId removed', { op: 'remove', path: 'externalId' }, { externalId: null }],
    ['an attribute that groups do not have, without a path', { op: 'add', value: { nickName: 'x' } }, {}],
  ])('%s', (_, operation, expected) => {
    expect(patch(operation)).toEqual(expected);
  });

  test('the last operation on a member counts', () => {
    const [add, remove] = [
      { op: 'add', path: 'members', value: [{ value: 'a' }] },
      { op: 'remove', path: 'members[value eq "a"]' },
    ];
    expect(patch(add, remove)).toEqual(members(false, [], ['a']));
    expect(patch(remove, add)).toEqual(members(false, ['a']));
    expect(patch(add, { op: 'remove', path: 'members' })).toEqual(members(true, []));
    expect(patch({ op: 'remove', path: 'members' }, add)).toEqual(members(true, ['a']));
  });

  test('an id in another letter case is the same member', () => {
    const id = 'b0a7f1de-0000-7000-8000-00000000000a';
    const add = { op: 'add', path: 'members', value: [{ value: id.toUpperCase() }] };
    const remove = { op: 'remove', path: `members[value eq "${id}"]` };
    expect(patch(add, remove)).toEqual(members(false, [], [id]));
    expect(
      patch({ ...remove, path: `members[value eq "${id.toUpperCase()}"]` }, { ...add, value: id }),
    ).toEqual(members(false, [id]));
  });

  test.each<[string, unknown]>([
    ['no object', []],
    ['no operations', {}],
    ['an empty array of operations', { Operations: [] }],
    ['operations that are no array', { Operations: { op: 'add' } }],
    ['an operation that is no object', { Operations: ['add'] }],
    ['an unknown op', { Operations: [{ op: 'move', path: 'members', value: [] }] }],
    ['an unknown path', { Operations: [{ op: 'add', path: 'nickName', value: 'x' }] }],
    ['a path that is no string', { Operations: [{ op: 'add', path: 5, value: 'x' }] }],
    ['remove without a path', { Operations: [{ op: 'remove' }] }],
    ['remove of displayName', { Operations: [{ op: 'remove', path: 'displayName' }] }],
    ['an empty displayName', { Operations: [{ op: 'replace', path: 'displayName', value: '' }] }],
    ['another filter', { Operations: [{ op: 'remove', path: 'members[display eq "Ada"]' }] }],
    ['add with a filter', { Operations: [{ op: 'add', path: 'members[value eq "a"]', value: [] }] }],
    ['a member without a value', { Operations: [{ op: 'add', path: 'members', value: [{}] }] }],
    ['a member that is a number', { Operations: [{ op: 'add', path: 'members', value: [5] }] }],
    ['a value that is no object, without a path', { Operations: [{ op: 'add', value: 'x' }] }],
  ])('refuses %s', (_, body) => {
    expect(() => groupPatch(body)).toThrow(ScimError);
  });
});

describe('groupBody', () => {
  test.each<[string, object, boolean, object]>([
    ['a name only', { displayName: 'Sales' }, true, { name: 'Sales' }],
    ['no externalId', { displayName: 'Sales', externalId: '' }, true, { name: 'Sales', externalId: null }],
    [
      'attributes of others and in another case',
      { DisplayName: 'Sales', externalID: '1', id: 'x', meta: {}, Members: [{ value: 'a', display: 'Ada' }] },
      true,
      { name: 'Sales', externalId: '1', ...members(true, ['a']) },
    ],
    [
      'members that are null',
      { displayName: 'Sales', members: null },
      true,
      { name: 'Sales', ...members(true, []) },
    ],
  ])('%s', (_, body, isReplaced, expected) => {
    expect(groupBody(body, isReplaced)).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ['no object', []],
    ['no displayName', { members: [] }],
    ['a displayName of spaces', { displayName: '  ' }],
    ['an externalId that is a number', { displayName: 'Sales', externalId: 5 }],
    ['an externalId that is too long', { displayName: 'Sales', externalId: 'x'.repeat(256) }],
  ])('refuses %s', (_, body) => {
    expect(() => groupBody(body, false)).toThrow(ScimError);
  });
});
