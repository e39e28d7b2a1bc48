import { demoTenant } from '@vitrine/power-bi-emulator';

/** A user of the emulated identity provider, with Entra's claims by their names. */
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
  oid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
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
  personOf('emil', 'Emil Novak', 5, { groups: ['sales'], department: 'Sales' }),
  personOf('fay', 'Fay Adeyemi', 6, { groups: ['sales'], department: 'Sales' }),
  personOf('gus', 'Gus Hartmann', 7, { groups: ['finance'], department: 'Finance' }),
  personOf('hana', 'Hana Sato', 8, { groups: ['finance'], department: 'Finance' }),
  personOf('ivo', 'Ivo Petrov', 9, { groups: ['operations'], department: 'Operations' }),
  personOf('june', 'June Park', 10, { groups: ['operations'], department: 'Operations' }),
  personOf('kofi', 'Kofi Mensah', 11, { groups: ['operations', 'sales'], department: 'Operations' }),
  personOf('lena', 'Lena Vogt', 12, { groups: ['people'], department: 'People' }),
];

/** Maps the demo's groups to rights in Vitrine. Users of no listed domain or group cannot sign in. */
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
    {
      name: 'Operations',
      when: { groups: ['operations'] },
      grants: [{ workspace: 'Operations', role: 'viewer' }],
    },
    { name: 'People', when: { groups: ['people'] }, grants: [{ workspace: 'People', role: 'viewer' }] },
  ],
};

/** Names of the workspaces that the rules open to a person. */
export const workspaceNamesOf = ({ groups }: Person): string[] =>
  demoRules.rules
    .filter(({ when }) => when.groups?.some((group) => (groups as string[]).includes(group)))
    .flatMap(({ grants = [] }) => grants.map(({ workspace }) => workspace));

/** The people in the demo's usage: all who can open a report. */
export const demoViewers: readonly Person[] = demoPeople.filter(
  (person) => workspaceNamesOf(person).length > 0,
);
