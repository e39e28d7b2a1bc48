import { t } from 'i18next';
import { msg } from '../../../i18n/index.js';
import type { BulkLine, LineState } from './bulk-run.js';

interface StateTexts {
  label: string;
  summary: string;
  color: string;
}

export const lineStates: Record<LineState, StateTexts> = {
  waiting: { label: msg('Waiting'), summary: msg('{{number}} waiting'), color: 'gray' },
  sending: { label: msg('Sending…'), summary: msg('{{number}} sending'), color: 'blue' },
  invited: { label: msg('Invited'), summary: msg('{{number}} invited'), color: 'green' },
  renewed: { label: msg('Invitation updated'), summary: msg('{{number}} updated'), color: 'green' },
  granted: { label: msg('Access granted'), summary: msg('{{number}} granted access'), color: 'green' },
  included: { label: msg('Already invited'), summary: msg('{{number}} already invited'), color: 'blue' },
  has_all: { label: msg('Already has access'), summary: msg('{{number}} already had access'), color: 'blue' },
  failed: { label: msg('Failed'), summary: msg('{{number}} failed'), color: 'red' },
};

export const isDone = ({ state }: BulkLine): boolean => state !== 'waiting' && state !== 'sending';

/** `10 invited, 2 failed`: the results so far. */
export function summaryOf(lines: readonly BulkLine[]): string {
  const states = Object.keys(lineStates) as LineState[];
  return states
    .map((state) => ({ state, count: lines.filter((line) => line.state === state).length }))
    .filter(({ state, count }) => count > 0 && state !== 'sending')
    .map(({ state, count }) => t(lineStates[state].summary, { number: count }))
    .join(', ');
}
