/** Collects the values of a repeatable option. */
export const collect = (given: string, before: string[]): string[] => [...before, given];
