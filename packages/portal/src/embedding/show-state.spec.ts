import { expect, test } from '@jest/globals';
import { begun, next, type Show, type ShowEvent } from './show-state.js';

const after = (...events: ShowEvent[]): Show => events.reduce(next, begun);
const expired: ShowEvent = { type: 'error', problem: { message: 'TokenExpired' } };

test.each<[string, ShowEvent[], number]>([
  ['the first one', [{ type: 'begun' }, { type: 'loaded' }, { type: 'rendered' }], 1],
  ['none while it begins again', [{ type: 'loaded' }, { type: 'rendered' }, { type: 'begun' }], 1],
  [
    'one whose former content is drawn after its token expired',
    [{ type: 'loaded' }, { type: 'rendered' }, expired, { type: 'rendered' }, { type: 'loaded' }],
    2,
  ],
])('counts the loads of a report: %s', (_, events, loads) => {
  expect(after(...events).loads).toBe(loads);
});
