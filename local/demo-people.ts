import { demoTenant } from '../packages/power-bi-emulator/demo-tenant.js';

/** Somebody whom the stand-in signs in, and what it says of them: Entra's claims by their names. */
export interface Person {
  sub: string;
  [claim: string]: unknown;
}

const personOf = (sub: string, name: string, number: number, claims: Record<string, unknown>): Person => ({
  sub,
  name,
  email: `${sub}@vitrine.example`,
  email_verified: true,
  preferred_username: `${sub}@vitrine.example`,
  tid: demoTenant.tenantId,
  oid: `00000000-0000-4000-8000-00000000000${number}`,
  ...claims,
});

export const demoPeople: readonly Person[] = [
  personOf('ada', 'Ada Lovelace', 1, { groups: ['sales'], department: 'Sales' }),
  personOf('ben', 'Ben Okafor', 2, { groups: [], department: 'Operations' }),
  personOf('carol', 'Carol Diaz (admin)', 3, { groups: ['portal-admins', 'sales', 'finance'] }),
  personOf('dora', 'Dora Lind (another organization)', 4, {
    email: 'dora@fabrikam.example',
    preferred_username: 'dora@fabrikam.example',
    groups: [],
  }),
];

/** What the demo's groups mean in Vitrine; whoever is of no domain or group below stays out. */
export const demoRules = {
  rules: [
    { name: 'Demo users', when: { email_domains: ['vitrine.example'] }, admit: true },
    { name: 'Portal admins', when: { groups: ['portal-admins'] }, role: 'admin' },
    {
      name: 'Sales',
      when: { groups: ['sales'] },
      attributes: { department: { claim: 'department' } },
      grants: [{ workspace: 'Sales', role: 'viewer' }],
    },
    { name: 'Finance', when: { groups: ['finance'] }, grants: [{ workspace: 'Finance', role: 'editor' }] },
  ],
};
