import { useParameters } from '../../components/use-parameter.js';

export const periods = [
  { value: '7', label: 'Last 7 days', bucket: 'day' },
  { value: '28', label: 'Last 28 days', bucket: 'day' },
  { value: '90', label: 'Last 90 days', bucket: 'week' },
  { value: '365', label: 'Last 12 months', bucket: 'month' },
] as const;

/** The period and the filter in the URL, shared by all pages of Analytics. */
export function usePeriod() {
  const [parameters, change] = useParameters();
  const period = periods.find(({ value }) => value === parameters.get('days')) ?? periods[1];
  const excludeAdmins = parameters.get('admins') === 'no';
  return {
    period,
    excludeAdmins,
    query: { days: Number(period.value), exclude_admins: excludeAdmins },
    /** The part of the URL that links between the pages keep. */
    search: `?days=${period.value}${excludeAdmins ? '&admins=no' : ''}`,
    setDays: (days: string | null) => change({ days }),
    setExcludeAdmins: (excluded: boolean) => change({ admins: excluded ? 'no' : null }),
  };
}
