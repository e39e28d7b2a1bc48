import type { CustomScenario, Scenario } from '../scenario.js';
import { ofClients } from './clients.js';
import { ofMaintenance } from './maintenance.js';
import { ofLocalStart } from './local-start.js';
import { noFault } from './no-fault.js';
import { ofRedisAndMail } from './redis-and-mail.js';
import { ofPostgres } from './postgres.js';
import { ofReplicas } from './replicas.js';
import { ofSignIn } from './sign-in.js';
import { ofUpstream } from './upstream.js';
import { ofWebhooks } from './webhooks.js';

const numberOf = ({ id }: { id: string }): number => Number(/\d+/.exec(id)?.[0]);

/** Every fault, by number. */
export const scenarios: (Scenario | CustomScenario)[] = [
  noFault,
  ...ofReplicas,
  ...ofPostgres,
  ...ofRedisAndMail,
  ...ofUpstream,
  ...ofClients,
  ...ofMaintenance,
  ...ofSignIn,
  ...ofLocalStart,
  ...ofWebhooks,
].toSorted((a, b) => numberOf(a) - numberOf(b));

/** What runs on every change. */
export const shortForm = ['F1', 'F2', 'F4', 'F8', 'F16', 'F29', 'F37'];
