import { useEffect, useState } from 'react';
import type { operations } from '../../api/schema.js';
import { msg } from '../../i18n/index.js';
import { useParameters } from '../../components/use-parameter.js';

type Query = NonNullable<operations['Audit_list']['parameters']['query']>;
export type AuditQuery = Omit<Query, 'sort' | 'limit' | 'cursor'>;

export const ranges = {
  hour: { label: msg('Last hour'), seconds: 3600 },
  day: { label: msg('Last 24 hours'), seconds: 86_400 },
  week: { label: msg('Last 7 days'), seconds: 7 * 86_400 },
  month: { label: msg('Last 30 days'), seconds: 30 * 86_400 },
};
export type Range = keyof typeof ranges;

const isRange = (value: string | null): value is Range => value !== null && value in ranges;

const names = ['action', 'outcome', 'actor_id', 'target_type', 'target_id', 'ip', 'request_id'] as const;

const RENEWED_AFTER_MS = 60_000;

/**
 * When the load of the list began, from which `Last hour` counts: all pages of the list start at the same time. Other filters
 * begin another load, and so does a page that becomes visible again after a minute.
 */
function useLoadTime(filters: string): number {
  const [load, setLoad] = useState(() => ({ filters, at: Date.now() }));
  if (load.filters !== filters) setLoad({ filters, at: Date.now() });
  useEffect(() => {
    const renew = (): void => {
      if (document.visibilityState === 'hidden') return;
      setLoad((last) => (Date.now() - last.at < RENEWED_AFTER_MS ? last : { ...last, at: Date.now() }));
    };
    document.addEventListener('visibilitychange', renew);
    return () => document.removeEventListener('visibilitychange', renew);
  }, []);
  return load.at;
}

/** The query of the URL in the form of the API, which rejects invalid values. */
export function useAuditFilters() {
  const [parameters, change] = useParameters();
  const within = parameters.get('within');
  const loadedAt = useLoadTime(parameters.toString());
  const chosen = names.flatMap((name) => {
    const value = parameters.get(name);
    return value === null ? [] : [[name, value]];
  });
  const period = (now: number) =>
    isRange(within)
      ? { from: new Date(now - ranges[within].seconds * 1000).toISOString() }
      : { from: parameters.get('from') ?? undefined, to: parameters.get('to') ?? undefined };
  const queryAt = (now: number) => ({ ...Object.fromEntries(chosen), ...period(now) }) as AuditQuery;
  const query = queryAt(loadedAt);
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return { parameters, change, query, queryAt, isFiltered };
}
