import { createHash } from 'node:crypto';
import type { AccessRight, Member, Workspace } from '../../content/model.js';
import type { Emulator } from '../../emulator.js';

type Json = Record<string, unknown>;
export type Kind = 'Report' | 'Dataset' | 'Dashboard';

/** Right on an item that follows from a role in its workspace. */
const rights: Record<Kind, Record<AccessRight, string>> = {
  Report: { None: 'None', Viewer: 'Read', Contributor: 'ReadWrite', Member: 'ReadWrite', Admin: 'Owner' },
  Dashboard: { None: 'None', Viewer: 'Read', Contributor: 'ReadWrite', Member: 'ReadWrite', Admin: 'Owner' },
  Dataset: {
    None: 'None',
    Viewer: 'Read',
    Contributor: 'ReadWriteExplore',
    Member: 'ReadWriteReshareExplore',
    Admin: 'ReadWriteReshareExplore',
  },
};

export function rightOn(kind: Kind, { groupUserAccessRight }: Member): string {
  return rights[kind][groupUserAccessRight];
}

/** The users of an item: the members of its workspace, with their right on it. */
export function itemUsers(emulator: Emulator, kind: Kind, { members }: Workspace): Json[] {
  if (emulator.guess('item_access_rights') === 'direct_only') return [];
  const property = `${kind.toLowerCase()}UserAccessRight`;
  return members.map((each) => ({ ...adminUser(each), [property]: rightOn(kind, each) }));
}

/** A member without its role, with the id in Microsoft Graph that only the admin API returns. */
export function adminUser({
  identifier,
  principalType,
  displayName,
  emailAddress,
  profile,
  graphId,
}: Member & { graphId?: string }): Json {
  return {
    identifier,
    principalType,
    graphId: graphId ?? graphIdOf(identifier),
    displayName: displayName ?? identifier.split('@')[0],
    ...((emailAddress ?? principalType === 'User') && { emailAddress: emailAddress ?? identifier }),
    ...(profile && { profile }),
  };
}

/** Object id of a user; a group or a service principal is identified by it already. */
export function graphIdOf(identifier: string): string {
  if (!identifier.includes('@')) return identifier;
  const hash = createHash('sha256').update(identifier.toLowerCase()).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
