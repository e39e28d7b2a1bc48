import type { Setting } from './environment.js';

/** Other programs read these too, or they are standard variables of a library. */
const sharedPrefixes = new Set(['MAX', 'OTEL']);
/** Kubernetes adds these for each service of the namespace, such as `REDIS_SERVICE_HOST`. */
const kubernetes = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_\w+)?)$/;
/** Shorter names resemble each other by chance: `HOME` and `HOST`. */
const MIN_LENGTH = 8;
const MAX_TYPOS = 2;

/** Edits that turn one text into the other, where a swap of two neighbors is one edit. */
function distance(from: string, to: string): number {
  let [before, last] = [[] as number[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, last] = [last, row];
  }
  return last[to.length] ?? 0;
}

const prefixOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf('_')));

/** The first words that at least two settings share, such as `DATABASE` and `OIDC`. */
function prefixesOf(settings: readonly Setting[]): Set<string> {
  const grouped = Map.groupBy(new Set(settings.map(({ name }) => name)), prefixOf);
  const names = [...grouped].filter(([prefix, group]) => prefix !== '' && group.length > 1);
  return new Set(names.map(([prefix]) => prefix).filter((prefix) => !sharedPrefixes.has(prefix)));
}

/** One warning for each variable that is no setting but looks like one: it would be ignored silently. */
export function unknownVariables(names: readonly string[], settings: readonly Setting[]): string[] {
  const known = settings.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
  const knownNames = new Set(known);
  const prefixes = prefixesOf(settings);
  return names
    .filter((name) => !knownNames.has(name) && name.length >= MIN_LENGTH && !kubernetes.test(name))
    .flatMap((name) => {
      const isOurs = prefixes.has(prefixOf(name));
      const [nearest] = known
        .filter((each) => isOurs || Math.abs(each.length - name.length) <= MAX_TYPOS)
        .map((each) => ({ each, typos: distance(name, each) }))
        .toSorted((one, other) => one.typos - other.typos);
      if (nearest === undefined || (!isOurs && nearest.typos > MAX_TYPOS)) return [];
      return [`${name} is not a setting and has no effect: did you mean ${nearest.each}?`];
    });
}
