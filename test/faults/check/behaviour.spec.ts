import { expect, test } from '@jest/globals';
import {
  availability,
  boundedResponses,
  noLeaks,
  processes,
  resources,
  retryAmplification,
} from './behaviour.js';
import type { Evidence, Invariant } from './evidence.js';
import { breachesOf } from './invariants.js';
import { entry, evidence } from './sample.js';

const exit = { name: 'replica-1', code: 0, signal: null, sentSignals: [], forced: false };
const hit = { at: '2026-01-01T00:00:00Z', method: 'POST', path: '/reports/x/GenerateToken', query: {} };
const asked = (count: number) => Array.from({ length: count }, () => entry({ op: 'embed' }));
const hits = (count: number) => Array.from({ length: count }, () => hit);
const mib = 1024 * 1024;

/** Each invariant with a minimal violation. */
const counterExamples: [string, Invariant, Partial<Evidence>][] = [
  ['a leak', noLeaks, { leaks: ['password in replica-1.log'] }],
  ['a response that took too long', boundedResponses, { history: [entry({ t_invoke: 0, t_done: 17_000 })] }],
  [
    'a failure that is not a problem document',
    boundedResponses,
    { history: [entry({ status: 404, isNotProblem: true })] },
  ],
  ['a request that never ended', boundedResponses, { openRequests: 1 }],
  ['too few responses', availability, { expectations: [{ name: 'answered', holds: false, found: '98 %' }] }],
  ['too many retries', retryAmplification, { history: asked(100), calls: hits(121) }],
  ['a memory leak', resources, { after: { rss: 600 * mib, fds: 0, connections: 0 } }],
  ['a file descriptor leak', resources, { after: { rss: 0, fds: 20, connections: 0 } }],
  ['a connection leak', resources, { after: { rss: 0, fds: 0, connections: 20 } }],
  ['a crash', processes, { exits: [{ ...exit, code: 1 }] }],
  ['an unexpected kill', processes, { exits: [{ ...exit, code: null, signal: 'SIGKILL' }] }],
  ['a forced exit', processes, { exits: [{ ...exit, forced: true }] }],
  ['an unhandled error', processes, { artefacts: { 'replica-1.log': 'UnhandledPromiseRejection' } }],
];

test.each(counterExamples)('%s is detected', (_name, invariant, changes) => {
  expect(invariant(evidence(changes))).toHaveLength(1);
});

test('permitted behaviour is not reported', () => {
  const exits = [
    exit,
    { ...exit, code: null, signal: 'SIGKILL' as const, sentSignals: ['SIGKILL' as const] },
  ];
  const fine = evidence({ history: asked(100), calls: hits(120), exits });
  const all = [noLeaks, boundedResponses, availability, retryAmplification, resources, processes];
  expect(all.flatMap((invariant) => invariant(fine))).toEqual([]);
});

test('a run without events violates no invariant', () => {
  expect(breachesOf(evidence())).toEqual([]);
});
