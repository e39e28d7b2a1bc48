import type { BulkLine, LineState } from './bulk-run.js';

export const lineStates: Record<LineState, { label: string; color: string }> = {
  waiting: { label: 'Waiting', color: 'gray' },
  sending: { label: 'Sending…', color: 'blue' },
  invited: { label: 'Invited', color: 'green' },
  renewed: { label: 'Invited again', color: 'green' },
  given: { label: 'Had an account: access given', color: 'green' },
  included: { label: 'Invited already', color: 'blue' },
  has_all: { label: 'Has this access already', color: 'blue' },
  too_soon: { label: 'Mailed a moment ago: nothing changed', color: 'orange' },
  failed: { label: 'Failed', color: 'red' },
};

export const isDone = ({ state }: BulkLine): boolean => state !== 'waiting' && state !== 'sending';

/** `10 invited, 2 failed`: what became of those that were tried. */
export function summaryOf(lines: readonly BulkLine[]): string {
  const states = Object.keys(lineStates) as LineState[];
  return states
    .map((state) => ({ state, count: lines.filter((line) => line.state === state).length }))
    .filter(({ state, count }) => count > 0 && state !== 'sending')
    .map(({ state, count }) => `${count} ${lineStates[state].label.toLowerCase()}`)
    .join(', ');
}
