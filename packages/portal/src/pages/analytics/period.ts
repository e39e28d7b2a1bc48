import { msg } from '../../i18n/index.js';
import { useParameters } from '../../components/use-parameter.js';
import { addDays, type DayRange, lastDays, lengthOf, rangeOf } from './days.js';

export const CUSTOM = 'custom';

export const periods = [
  { value: '7', label: msg('Last 7 days'), bucket: 'day' },
  { value: '28', label: msg('Last 28 days'), bucket: 'day' },
  { value: '90', label: msg('Last 90 days'), bucket: 'week' },
  { value: '365', label: msg('Last 12 months'), bucket: 'month' },
] as const;

function bucketOf(range: DayRange): 'day' | 'week' | 'month' {
  const days = lengthOf(range);
  if (days <= 31) return 'day';
  return days <= 190 ? 'week' : 'month';
}

function searchOf(range: DayRange): string {
  return `?${new URLSearchParams({ ...range }).toString()}`;
}

/** The period, the comparison and the filter in the URL, shared by all pages of Analytics. */
export function usePeriod() {
  const [parameters, change] = useParameters();
  const range = rangeOf(parameters.get('from'), parameters.get('to'));
  const preset = periods.find(({ value }) => value === parameters.get('days')) ?? periods[1];
  const excludeAdmins = parameters.get('admins') === 'no';
  const compares = parameters.get('compare') !== 'no';
  const days =
    range === undefined ? { days: Number(preset.value) } : { from: range.from, to: addDays(range.to, 1) };
  return {
    period: range === undefined ? preset : { value: CUSTOM, bucket: bucketOf(range) },
    /** The first and the last day, if they were chosen. */
    range,
    excludeAdmins,
    /** Whether figures are compared with the period of the same length before. */
    compares,
    query: { ...days, exclude_admins: excludeAdmins },
    /** The part of the URL that links between the pages keep. */
    search: `${range === undefined ? `?days=${preset.value}` : searchOf(range)}${excludeAdmins ? '&admins=no' : ''}${compares ? '' : '&compare=no'}`,
    setPeriod: (value: string | null) => {
      if (value === CUSTOM) change({ days: null, ...lastDays(Number(preset.value)) });
      else change({ days: value, from: null, to: null });
    },
    setRange: (chosen: DayRange) => change({ days: null, ...chosen }),
    setExcludeAdmins: (excluded: boolean) => change({ admins: excluded ? 'no' : null }),
    setCompares: (compared: boolean) => change({ compare: compared ? null : 'no' }),
  };
}
