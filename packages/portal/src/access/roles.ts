import { t } from 'i18next';
import type { components } from '../api/schema.js';
import { msg } from '../i18n/index.js';

export type WorkspaceRole = components['schemas']['MemberDto']['role'];
export type PlatformRole = components['schemas']['UserDto']['role'];

/** Weakest first. */
export const workspaceRoles: { value: WorkspaceRole; label: string; description: string }[] = [
  { value: 'viewer', label: msg('Viewer'), description: msg('Can view reports') },
  { value: 'editor', label: msg('Editor'), description: msg('Can view and edit reports') },
  { value: 'manager', label: msg('Manager'), description: msg('Can also invite users and grant access') },
];

export const platformRoles: { value: PlatformRole; label: string; description: string }[] = [
  { value: 'member', label: msg('Member'), description: msg('Has only the access that is granted') },
  { value: 'admin', label: msg('Admin'), description: msg('Can view and manage everything') },
];

/** A grant on a single report has no managers. */
export const rolesOn = (target: 'workspace' | 'report') =>
  target === 'workspace' ? workspaceRoles : workspaceRoles.filter(({ value }) => value !== 'manager');

export const roleName = (role: WorkspaceRole | PlatformRole): string =>
  t([...workspaceRoles, ...platformRoles].find(({ value }) => value === role)?.label ?? role);
