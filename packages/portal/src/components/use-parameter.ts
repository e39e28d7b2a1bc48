import { useSearchParams } from 'react-router';

type Changes = Record<string, string | null>;

/** The address as it is now, not as it was when the page was last drawn: of two changes in a row, none undoes the other. */
function changed(changes: Changes): URLSearchParams {
  const parameters = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') parameters.delete(name);
    else parameters.set(name, value);
  }
  return parameters;
}

/** Parameters of the page's address: a filter can be linked to and survives F5. Null takes one away. */
export function useParameters(): [URLSearchParams, (changes: Changes) => void] {
  const [parameters, setParameters] = useSearchParams();
  return [parameters, (changes) => setParameters(changed(changes), { replace: true })];
}

export function useParameter(name: string): [string | null, (value: string | null) => void] {
  const [parameters, change] = useParameters();
  return [parameters.get(name), (value) => change({ [name]: value })];
}
