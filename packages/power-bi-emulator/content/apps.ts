import { sameId, type Content } from './content.js';
import { idOf } from './ids.js';
import type { App, PastActivity } from './model.js';

export type LooseApp = Partial<App> & Pick<App, 'workspaceId'>;

/** Apps of a seed: missing ids and names are derived from the position. */
export function appsFrom(loose: LooseApp[]): App[] {
  return loose.map((each, index) => ({
    id: idOf('app', index + 1),
    name: `App ${index + 1}`,
    publishedBy: 'Dana Demo',
    lastUpdate: '2026-01-12T09:00:00Z',
    ...each,
  }));
}

export function demoApps(): App[] {
  return appsFrom([
    {
      name: 'Sales',
      description: 'Revenue and pipeline for everyone',
      workspaceId: idOf('workspace', 1),
      users: [{ identifier: 'ada@vitrine.example' }, { identifier: 'ben@vitrine.example' }],
    },
    {
      name: 'Operations',
      description: 'Plants, stock and delivery',
      workspaceId: idOf('workspace', 3),
      users: [{ identifier: 'ada@vitrine.example' }],
    },
  ]);
}

export function findApp({ apps }: Content, id: string): App | undefined {
  return apps.find((each) => sameId(each.id, id));
}

/** What two readers did in the days before the start: two workspaces are in use, the others are not. */
export function demoActivities(): PastActivity[] {
  const views = [
    { UserId: 'ada@vitrine.example', report: [1, 1], every: 11 },
    { UserId: 'ben@vitrine.example', report: [1, 2], every: 17 },
    { UserId: 'ada@vitrine.example', report: [3, 1], every: 29 },
  ] as const;
  return views.flatMap(({ UserId, report: [workspace, item], every }) =>
    Array.from({ length: 5 }, (_, count) => ({
      Activity: 'ViewReport',
      minutesAgo: (count + 1) * every * 60,
      UserId,
      WorkspaceId: idOf('workspace', workspace),
      ReportId: idOf('report', workspace, item),
      DatasetId: idOf('dataset', workspace, 1),
      ArtifactId: idOf('report', workspace, item),
      ArtifactKind: 'Report',
    })),
  );
}
