import { demoPrincipalObjectId, demoTenant } from '../demo-tenant.js';
import { idOf } from './ids.js';
import type { Capacity, Member, ServicePrincipal } from './model.js';

export function demoPrincipals(): ServicePrincipal[] {
  return [
    {
      clientId: demoTenant.clientId,
      objectId: demoPrincipalObjectId,
      displayName: 'Reporting portal',
      secrets: [{ value: demoTenant.clientSecret }],
      certificates: [],
    },
  ];
}

export function demoCapacities(): Capacity[] {
  return [
    {
      id: idOf('capacity', 1),
      displayName: 'Demo F64',
      sku: 'F64',
      state: 'Active',
      region: 'West Europe',
      admins: ['dana@vitrine.example'],
    },
  ];
}

export function demoPrincipalAs(groupUserAccessRight: Member['groupUserAccessRight']): Member {
  return {
    identifier: demoPrincipalObjectId,
    principalType: 'App',
    groupUserAccessRight,
    displayName: 'Reporting portal',
  };
}
