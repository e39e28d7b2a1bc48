import { createHash } from 'node:crypto';
import type { Content } from './content.js';

/** A user of the tenant, who can sign in. */
export interface Person {
  /** User principal name. */
  upn: string;
  objectId: string;
  displayName: string;
}

const domain = 'vitrine.example';

const demoPerson = (name: string, displayName: string, number: number): Person => ({
  upn: `${name}@${domain}`,
  objectId: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  displayName,
});

const tenantAdmin = demoPerson('dana', 'Dana Weiss', 13);

const demoPeople: readonly Person[] = [
  tenantAdmin,
  demoPerson('ada', 'Ada Lovelace', 1),
  demoPerson('ben', 'Ben Okafor', 2),
  demoPerson('carol', 'Carol Diaz', 3),
];

/** The demo people, and every user who is a member of a workspace. */
export function peopleOf(content: Content): Person[] {
  const people = new Map(demoPeople.map((person) => [person.upn, person]));
  for (const { members } of content.workspaces) {
    for (const { identifier, principalType, displayName } of members) {
      const upn = identifier.toLowerCase();
      if (principalType !== 'User' || people.has(upn)) continue;
      people.set(upn, { upn: identifier, objectId: objectIdOf(upn), displayName: displayName ?? identifier });
    }
  }
  return [...people.values()];
}

export function findPerson(content: Content, upn: string | undefined): Person | undefined {
  const wanted = upn?.trim().toLowerCase();
  return peopleOf(content).find((each) => each.upn.toLowerCase() === wanted);
}

/** The users of a domain that no person has are unknown to the tenant. */
export function isOwnDomain(content: Content, upn: string): boolean {
  const domainOf = (name: string) => name.slice(name.indexOf('@') + 1).toLowerCase();
  return peopleOf(content).some((each) => domainOf(each.upn) === domainOf(upn));
}

/** A user needs the role of a Fabric administrator for admin calls. */
export function isTenantAdmin(upn: string): boolean {
  return upn.toLowerCase() === tenantAdmin.upn;
}

function objectIdOf(upn: string): string {
  const digits = createHash('sha256').update(upn).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
