const kinds = { workspace: 'a', report: 'b', dataset: 'c', capacity: 'd' } as const;

/** A GUID made from positions, so that two runs with the same content agree on every id. */
export function idOf(kind: keyof typeof kinds, workspace: number, item = 0): string {
  const high = workspace.toString(16).padStart(7, '0');
  return `${kinds[kind]}${high}-0000-4000-8000-${item.toString(16).padStart(12, '0')}`;
}
