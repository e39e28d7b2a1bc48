import type { Dataset, DatasetParameter, Member } from '../content/model.js';

type Json = Record<string, unknown>;

/** A demo dataset reads from a database, or from Analysis Services by live connection. */
export function datasourcesOf({ id, name, liveConnection, datasources, data = 'sales' }: Dataset): Json[] {
  if (datasources) return datasources;
  return [
    {
      datasourceType: liveConnection ? 'AnalysisServices' : 'Sql',
      connectionDetails: { server: 'warehouse.vitrine.example', database: liveConnection ? name : data },
      datasourceId: id.replace(/^./, '5'),
      gatewayId: id.replace(/^./, '6'),
    },
  ];
}

/** The parameters of a dataset, which keep their changes. */
export function parametersOf(dataset: Dataset): DatasetParameter[] {
  dataset.parameters ??= [
    { name: 'Server', type: 'Text', isRequired: true, currentValue: 'warehouse.vitrine.example' },
    { name: 'Database', type: 'Text', isRequired: true, currentValue: dataset.data ?? 'sales' },
  ];
  return dataset.parameters;
}

/** Permission on a dataset that comes with a role in its workspace. */
export const permissionOf: Record<Member['groupUserAccessRight'], string> = {
  None: 'None',
  Viewer: 'Read',
  Contributor: 'ReadWriteExplore',
  Member: 'ReadWriteReshareExplore',
  Admin: 'ReadWriteReshareExplore',
};
