import type { Mutation, QueryClient } from '@tanstack/react-query';
import { ProblemError } from '../api/problem.js';
import { notifyProblem } from './notify.js';

/**
 * A change that fails after its page or dialog was left says so in a notice: its own callbacks no longer run. Not after a
 * sign-out, which removes all changes.
 */
export function notifyOfLeft(client: QueryClient): void {
  const cache = client.getMutationCache();
  const left = new WeakSet<object>();
  let last: unknown;
  const saysItself = ({ options }: Pick<Mutation, 'options'>): boolean =>
    options.onError === notifyProblem || options.meta?.isDownload === true;
  cache.subscribe((event) => {
    if (event.type === 'observerRemoved') left.add(event.mutation);
    if (event.type === 'observerAdded') left.delete(event.mutation);
    if (event.type !== 'updated' || event.action.type !== 'error' || !left.has(event.mutation)) return;
    const { error } = event.action;
    const isKnown =
      cache.getAll().includes(event.mutation) && error instanceof ProblemError && error.status !== 401;
    // A change within a change fails with the same error.
    if (!isKnown || saysItself(event.mutation) || error === last) return;
    last = error;
    notifyProblem(error);
  });
}
