import type { components } from '../api/schema.js';

export type WorkspaceRole = components['schemas']['MemberDto']['role'];
export type PlatformRole = components['schemas']['UserDto']['role'];

/** Weakest first, as the service knows them. */
export const workspaceRoles: { value: WorkspaceRole; label: string; says: string }[] = [
  { value: 'viewer', label: 'Viewer', says: 'Sees the reports' },
  { value: 'editor', label: 'Editor', says: 'Sees and edits the reports' },
  { value: 'manager', label: 'Manager', says: 'Also invites people and decides who sees the workspace' },
];

export const platformRoles: { value: PlatformRole; label: string; says: string }[] = [
  { value: 'member', label: 'Member', says: 'Sees the workspaces that were granted' },
  { value: 'admin', label: 'Admin', says: 'Sees and manages everything' },
];

export const roleName = (role: WorkspaceRole | PlatformRole): string =>
  [...workspaceRoles, ...platformRoles].find(({ value }) => value === role)?.label ?? role;
