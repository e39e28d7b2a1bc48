import type { Json } from './definition.js';

/** What an example lists of its dataset, or expects it to have. */
export function detailsOf(kind: string, listed: Json[]): Json {
  const details: Record<string, Json> = {
    datasources: { datasources: listed },
    parameters: { parameters: listed },
    'Default.UpdateParameters': {
      parameters: ['DatabaseName', 'MaxId'].map((name) => ({ name, type: 'Text', isRequired: true })),
    },
    users: { users: listed },
    refreshSchedule: { ...(listed[0] && { refreshSchedule: listed[0] }) },
    directQueryRefreshSchedule: { directQuery: true, ...(listed[0] && { directQuerySchedule: listed[0] }) },
    executeQueries: { tables: { MyTable: tableOf(listed[0]) } },
  };
  return details[kind] ?? {};
}

/** The rows of a query's result, whose columns have the name of their table. */
function tableOf(result: Json | undefined): Json[] {
  const [first] = (result?.results ?? []) as { tables: { rows: Json[] }[] }[];
  return (first?.tables[0]?.rows ?? []).map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [/\[(.+)\]/.exec(name)?.[1] ?? name, value]),
    ),
  );
}
