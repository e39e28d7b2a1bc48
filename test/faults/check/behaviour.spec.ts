import { expect, test } from '@jest/globals';
import {
  availability,
  boundedAnswers,
  noLeaks,
  processes,
  resources,
  retryAmplification,
} from './behaviour.js';
import type { Evidence, Invariant } from './evidence.js';
import { breachesOf } from './invariants.js';
import { entry, evidence } from './sample.js';

const exit = { name: 'replica-1', code: 0, signal: null, asked: [], forced: false };
const hit = { at: '2026-01-01T00:00:00Z', method: 'POST', path: '/reports/x/GenerateToken', query: {} };
const asked = (count: number) => Array.from({ length: count }, () => entry({ op: 'embed' }));
const hits = (count: number) => Array.from({ length: count }, () => hit);
const mib = 1024 * 1024;

/** An invariant, and the smallest breach of it. */
const counterExamples: [string, Invariant, Partial<Evidence>][] = [
  ['a leak', noLeaks, { leaks: ['password in replica-1.log'] }],
  ['an answer that took too long', boundedAnswers, { history: [entry({ t_invoke: 0, t_done: 17_000 })] }],
  [
    'a failure that is no problem document',
    boundedAnswers,
    { history: [entry({ status: 404, bare: true })] },
  ],
  ['a request that never ended', boundedAnswers, { open: 1 }],
  ['too few answers', availability, { expectations: [{ name: 'answered', holds: false, found: '98 %' }] }],
  ['too many retries', retryAmplification, { history: asked(100), calls: hits(121) }],
  ['memory that stays', resources, { after: { rss: 600 * mib, fds: 0, connections: 0 } }],
  ['descriptors that stay', resources, { after: { rss: 0, fds: 20, connections: 0 } }],
  ['connections that stay', resources, { after: { rss: 0, fds: 0, connections: 20 } }],
  ['a crash', processes, { exits: [{ ...exit, code: 1 }] }],
  ['a kill that was not ours', processes, { exits: [{ ...exit, code: null, signal: 'SIGKILL' }] }],
  ['one that had to be forced', processes, { exits: [{ ...exit, forced: true }] }],
  [
    'an error that nobody handled',
    processes,
    { artefacts: { 'replica-1.log': 'UnhandledPromiseRejection' } },
  ],
];

test.each(counterExamples)('%s is seen', (_name, invariant, changes) => {
  expect(invariant(evidence(changes))).toHaveLength(1);
});

test('what may be is no breach', () => {
  const exits = [exit, { ...exit, code: null, signal: 'SIGKILL' as const, asked: ['SIGKILL' as const] }];
  const fine = evidence({ history: asked(100), calls: hits(120), exits });
  const all = [noLeaks, boundedAnswers, availability, retryAmplification, resources, processes];
  expect(all.flatMap((invariant) => invariant(fine))).toEqual([]);
});

test('a run in which nothing happened breaks nothing', () => {
  expect(breachesOf(evidence())).toEqual([]);
});
