import type { components } from '../api/schema.js';

export type WorkspaceRole = components['schemas']['MemberDto']['role'];
export type PlatformRole = components['schemas']['UserDto']['role'];

/** Weakest first. */
export const workspaceRoles: { value: WorkspaceRole; label: string; description: string }[] = [
  { value: 'viewer', label: 'Viewer', description: 'Sees the reports' },
  { value: 'editor', label: 'Editor', description: 'Sees and edits the reports' },
  { value: 'manager', label: 'Manager', description: 'Also invites users and grants access' },
];

export const platformRoles: { value: PlatformRole; label: string; description: string }[] = [
  { value: 'member', label: 'Member', description: 'Sees what is granted to them' },
  { value: 'admin', label: 'Admin', description: 'Sees and manages everything' },
];

/** A grant on a single report has no managers. */
export const rolesOn = (target: 'workspace' | 'report') =>
  target === 'workspace' ? workspaceRoles : workspaceRoles.filter(({ value }) => value !== 'manager');

export const roleName = (role: WorkspaceRole | PlatformRole): string =>
  [...workspaceRoles, ...platformRoles].find(({ value }) => value === role)?.label ?? role;
