import { useState } from 'react';
import { NavigationType, useLocation, useNavigation, useNavigationType, useSearchParams } from 'react-router';

type Changes = Record<string, string | null>;

/** Based on the current URL, not that of the last render, so that a second change keeps the first. */
function changed(changes: Changes): URLSearchParams {
  const parameters = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') parameters.delete(name);
    else parameters.set(name, value);
  }
  return parameters;
}

/** URL parameters of the page: a filter can be linked to and survives a reload. Null removes one. */
export function useParameters(): [URLSearchParams, (changes: Changes) => void] {
  const [parameters, setParameters] = useSearchParams();
  return [parameters, (changes) => setParameters(changed(changes), { replace: true })];
}

export function useParameter(name: string): [string | null, (value: string | null) => void] {
  const [parameters, change] = useParameters();
  return [parameters.get(name), (value) => change({ [name]: value })];
}

/**
 * As `useParameter`, for changes that the user does not make: ignored while another page is loading, because a change of the
 * URL cancels its navigation.
 */
export function useAutomaticParameter(name: string): [string | null, (value: string | null) => void] {
  const [value, change] = useParameter(name);
  const isLeaving = useNavigation().state !== 'idle';
  return [value, (next) => (isLeaving ? undefined : change(next))];
}

/**
 * Changes when a link or Back has opened the page with other parameters, not when the page itself changes them: the `key` of
 * a field whose text the URL does not contain yet.
 */
export function useArrival(): string {
  const { key } = useLocation();
  const isOwn = useNavigationType() === NavigationType.Replace;
  const [arrival, setArrival] = useState(key);
  if (!isOwn && key !== arrival) setArrival(key);
  return arrival;
}
