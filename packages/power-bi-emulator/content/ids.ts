const kinds = {
  workspace: 'a',
  report: 'b',
  dataset: 'c',
  capacity: 'd',
  dashboard: 'e',
  tile: 'f',
  app: '9',
} as const;

/** A GUID derived from positions, so that the same content has the same ids in every run. */
export function idOf(kind: keyof typeof kinds, workspace: number, item = 0): string {
  const high = workspace.toString(16).padStart(7, '0');
  return `${kinds[kind]}${high}-0000-4000-8000-${item.toString(16).padStart(12, '0')}`;
}

const made = /^[a-d]([0-9a-f]{7})-0000-4000-8000-([0-9a-f]{12})$/i;

/** The positions in such a GUID; undefined for any other id. */
export function positionOf(id: string): { workspace: number; item: number } | undefined {
  const [, workspace, item] = made.exec(id) ?? [];
  if (workspace === undefined || item === undefined) return undefined;
  return { workspace: Number.parseInt(workspace, 16), item: Number.parseInt(item, 16) };
}
