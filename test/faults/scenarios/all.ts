import type { OwnScenario, Scenario } from '../scenario.js';
import { ofClients } from './clients.js';
import { ofKeepers } from './keepers.js';
import { ofLocalStart } from './local-start.js';
import { noFault } from './no-fault.js';
import { ofNeighbours } from './neighbours.js';
import { ofPostgres } from './postgres.js';
import { ofReplicas } from './replicas.js';
import { ofSignIn } from './sign-in.js';
import { ofUpstream } from './upstream.js';

const numberOf = ({ id }: { id: string }): number => Number(/\d+/.exec(id)?.[0]);

/** Every fault that this suite can bring about, in the order of the plan. */
export const scenarios: (Scenario | OwnScenario)[] = [
  noFault,
  ...ofReplicas,
  ...ofPostgres,
  ...ofNeighbours,
  ...ofUpstream,
  ...ofClients,
  ...ofKeepers,
  ...ofSignIn,
  ...ofLocalStart,
].toSorted((a, b) => numberOf(a) - numberOf(b));

/** What runs on every change. */
export const shortForm = ['F1', 'F2', 'F4', 'F8', 'F16', 'F29'];
