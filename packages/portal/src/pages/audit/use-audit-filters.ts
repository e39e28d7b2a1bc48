import { useMemo } from 'react';
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

const names = ['action', 'outcome', 'actor_id', 'target_type', 'target_id', 'request_id'] as const;

/** The query of the URL in the form of the API, which rejects invalid values. */
export function useAuditFilters() {
  const [parameters, change] = useParameters();
  const within = parameters.get('within');
  // Stable while the filter is unchanged, so that all pages of the list start at the same time.
  const since = useMemo(
    () => (isRange(within) ? new Date(Date.now() - ranges[within].seconds * 1000).toISOString() : undefined),
    [within],
  );
  const chosen = names.flatMap((name) => {
    const value = parameters.get(name);
    return value === null ? [] : [[name, value]];
  });
  const query = {
    ...Object.fromEntries(chosen),
    from: since ?? parameters.get('from') ?? undefined,
    to: since === undefined ? (parameters.get('to') ?? undefined) : undefined,
  } as AuditQuery;
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return { parameters, change, query, isFiltered };
}
