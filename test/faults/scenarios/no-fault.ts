import type { Scenario } from '../scenario.js';

/** Normal load with many sign-outs and reused refresh tokens. */
export const noFault: Scenario = {
  id: 'F0',
  title: 'no fault; many sign-outs and reused refresh tokens',
  rate: 20,
  seconds: 14,
  at: 0,
  mix: { list: 20, read: 20, embed: 10, refresh: 10, sign_out: 8, reuse: 8, member: 4 },
  success: { share: 0.999 },
  fault: () => Promise.resolve(),
};
