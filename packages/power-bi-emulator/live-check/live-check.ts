import { guesses, type GuessName } from '../core/guesses.js';
import { NotTried } from './not-tried.js';
import { probes } from './probes.js';
import { findSubjects, type Subjects } from './subjects.js';
import { type Credentials, Tenant } from './tenant.js';

export interface Finding {
  guess: GuessName;
  outcome: 'same' | 'differs' | 'not_tried';
  /** The emulator's default. */
  emulator: string;
  /** The tenant's behavior. */
  tenant?: string;
  /** Why it was not tried. */
  reason?: string;
}

/** Checks every guess that can be checked without changing anything. Throws when the tenant cannot be reached. */
export async function liveCheck(credentials: Credentials): Promise<Finding[]> {
  const tenant = new Tenant(credentials);
  await tenant.signIn();
  const subjects = await findSubjects(tenant);
  const findings: Finding[] = [];
  for (const name of Object.keys(guesses) as GuessName[]) {
    findings.push(await check(name, tenant, subjects));
  }
  return findings;
}

async function check(guess: GuessName, tenant: Tenant, subjects: Subjects): Promise<Finding> {
  const [emulator] = guesses[guess].values;
  const probe = probes[guess];
  const base = { guess, emulator };
  if (probe === undefined) {
    return { ...base, outcome: 'not_tried', reason: 'it requires a change or a browser' };
  }
  try {
    const seen = await probe(tenant, subjects);
    return { ...base, outcome: seen === emulator ? 'same' : 'differs', tenant: seen };
  } catch (error) {
    // Network errors may contain host names and ids; the reasons of probes do not.
    const reason = error instanceof NotTried ? error.message : 'the call failed';
    return { ...base, outcome: 'not_tried', reason };
  }
}

/** Report for the console and for issues: only statuses and fixed texts, no ids, names or tokens. */
export function report(findings: readonly Finding[]): string {
  const differing = findings.filter(({ outcome }) => outcome === 'differs');
  const untried = findings.filter(({ outcome }) => outcome === 'not_tried');
  const same = findings.length - differing.length - untried.length;
  return [
    `${findings.length} guesses: ${same} match the emulator, ${differing.length} differ, ${untried.length} not checked.`,
    ...differing.map(
      ({ guess, emulator, tenant }) => `differs      ${guess}: emulator ${emulator}, tenant ${tenant}`,
    ),
    ...untried.map(({ guess, reason }) => `not checked  ${guess}: ${reason}`),
  ].join('\n');
}
