import { demoPrincipalObjectId } from '@vitrine/power-bi-emulator';
import { detailsOf } from './dataset-details.js';
import { answerOf, type Example, type Json, type Operation } from './definition.js';
import { activitiesOf, appsOf, assignmentOf, dashboardsOf, roleFor, someDashboard } from './more-worlds.js';

const someGroup = 'f089354e-8366-4e18-aea3-4cb4a3a50b48';
const someReport = '5b218778-e7a5-4d73-8187-f10824047715';
const someDataset = 'cfafbeb1-8037-4d0c-896e-a46fb27ff229';
const someCapacity = '0f084df7-c13d-451b-af5f-ed0c466403b2';
const principal = {
  identifier: demoPrincipalObjectId,
  principalType: 'App',
  groupUserAccessRight: 'Admin',
};

interface Identity {
  datasets?: string[];
  reports?: string[];
  roles?: string[];
}

/** The parameters of an example, what it leaves out filled in. */
export function parametersOf(example: Example): Json & { groupId: string; reportId: string } {
  const { parameters } = example;
  return {
    datasetId: someDataset,
    dashboardId: someDashboard,
    capacityId: someCapacity,
    refreshableId: someDataset,
    ...parameters,
    user: decodeURIComponent(text(parameters.user) ?? 'john@contoso.com'),
    groupId: text(parameters.groupId) ?? assignmentOf(example).groupId ?? groupIdOf(example) ?? someGroup,
    reportId: text(parameters.reportId) ?? someReport,
  };
}

/** One example asks for a workspace without saying which; its answer does. */
function groupIdOf(example: Example): string | undefined {
  const { id, isOnDedicatedCapacity } = (answerOf(example).body ?? {}) as Json;
  return isOnDedicatedCapacity === undefined ? undefined : text(id);
}

/** A tenant in which an example can happen: what it asks for exists, and so does what it answers. */
export function worldOf(operation: Operation, example: Example): Json {
  const listed = itemsOf(answerOf(example).body);
  const kind = operation.path.split('/').findLast((part) => !part.startsWith('{')) ?? '';
  const capacities = [
    {
      id: assignmentOf(example).capacityId ?? someCapacity,
      displayName: 'Some',
      sku: 'F2',
      state: 'Active',
      region: 'West',
    },
  ];
  const workspaces = kind === 'groups' && operation.method === 'GET' ? listed.map(workspace) : [];
  const profileIds = text(example.parameters.profileId) ? [{ id: example.parameters.profileId }] : [];
  return {
    capacities: kind === 'capacities' && listed.length > 0 ? listed : capacities,
    profiles: (kind === 'profiles' && listed.length > 0 ? listed : profileIds).map((each) => ({
      displayName: 'Some profile',
      servicePrincipalId: demoPrincipalObjectId,
      ...each,
    })),
    apps: appsOf(operation, example, parametersOf(example).groupId),
    activities: activitiesOf(example),
    workspaces:
      workspaces.length > 0 ? workspaces : [place(operation, example, kind, listed), ...otherPlaces(example)],
  };
}

/** The one workspace of an example about reports, datasets, users or tokens. */
function place(operation: Operation, example: Example, kind: string, listed: Json[]): Json {
  const { groupId } = parametersOf(example);
  const identities = identitiesOf(example);
  const datasets =
    kind === 'datasets' && listed.length > 0 ? listed : datasetIds(example).map((id) => ({ id }));
  const reports =
    kind === 'reports' && operation.method === 'GET' ? listed : reportIds(example).map((id) => ({ id }));
  const workspaceId = text(listed[0]?.workspaceId);
  const isDatasetUsers =
    operation.path.endsWith('/datasets/{datasetId}/users') && !operation.path.startsWith('/admin');
  const isMine = /^\/(dashboards|reports|datasets|imports|AssignToCapacity|CapacityAssignmentStatus)/.test(
    operation.path,
  );
  const isAnywhere = /^\/datasets\/\{datasetId\}(\/executeQueries)?$/.test(operation.path);
  return {
    ...(isMine &&
      !(isAnywhere && operation.method !== 'PATCH' && operation.method !== 'DELETE') && {
        type: 'PersonalGroup',
      }),
    id: workspaceId ?? groupId,
    name: 'Some workspace',
    ...(kind === 'restore' && { state: 'Deleted' }),
    dashboards: dashboardsOf(operation, example, datasets),
    capacityId: someCapacity,
    members: [
      principal,
      ...(isDatasetUsers
        ? []
        : membersOf(example, kind === 'users' && !operation.path.includes('/apps/') ? listed : [])),
    ],
    datasets: datasets.map((each) => ({
      ...each,
      ...flagsOf(text(each.id) ?? '', identities, each),
      ...(operation.path.includes('refreshables') && {
        refreshes: [{ status: 'Completed', minutesAgo: 10 }],
      }),
      ...detailsOf(kind, isDatasetUsers && listed.length === 0 ? usersOf(example) : listed),
    })),
    reports: reports.map((each) => ({
      ...(kind === 'datasources' && { datasetId: datasets[0]?.id }),
      ...(kind === 'reports' ? {} : boundTo(text(datasets[0]?.id), identities)),
      ...(kind === 'pages' && { pages: listed }),
      ...(kind === 'Default.TakeOver' && { reportType: 'PaginatedReport' }),
      ...(kind === 'Rebind' && { reportType: 'PowerBIReport' }),
      ...each,
    })),
  };
}

/** The workspace, report and dataset that a copy names besides its own. */
function otherPlaces(example: Example): Json[] {
  const { targetWorkspaceId, targetModelId, sourceReport } = bodyOf(example);
  const { sourceReportId, sourceWorkspaceId } = (sourceReport ?? {}) as Json;
  const id = text(targetWorkspaceId) ?? text(sourceWorkspaceId);
  if (id === undefined) return [];
  const reports = sourceReportId === undefined ? [] : [{ id: sourceReportId }];
  return [{ id, reports, datasets: targetModelId === undefined ? [] : [{ id: targetModelId }] }];
}

/** The user whose permission an example changes. */
function usersOf({ parameters }: Example): Json[] {
  return Object.values(parameters).filter(
    (value): value is Json => typeof value === 'object' && value !== null && 'identifier' in value,
  );
}

/** Those that the example lists, or whom it changes or removes. */
function membersOf({ parameters }: Example, listed: Json[]): Json[] {
  const user = text(parameters.user);
  const changed = (parameters.userDetails ?? { identifier: user && decodeURIComponent(user) }) as Json;
  const named = listed.length > 0 ? listed : [{ groupUserAccessRight: 'Member', ...changed }];
  return named.map(member).filter(({ identifier }) => identifier !== undefined);
}

function workspace(item: Json): Json {
  const users = Array.isArray(item.users) ? item.users.map(member) : [principal];
  return { ...item, members: users, reports: item.reports ?? [], datasets: item.datasets ?? [] };
}

function member(user: Json): Json {
  return { identifier: user.emailAddress, principalType: 'User', ...roleFor(user), ...user };
}

/** A paginated report has an identity of its own; any other is bound to the dataset that the request names. */
function boundTo(datasetId: string | undefined, identities: Identity[]): Json {
  const paginated = identities.length > 0 && identities.every(({ reports }) => reports);
  return paginated || !datasetId ? { reportType: 'PaginatedReport' } : { datasetId };
}

function flagsOf(id: string, identities: Identity[], given: Json): Json {
  const mine = identities.filter(({ datasets }) => datasets?.includes(id));
  return {
    isEffectiveIdentityRequired: given.isEffectiveIdentityRequired ?? mine.length > 0,
    isEffectiveIdentityRolesRequired:
      given.isEffectiveIdentityRolesRequired ?? mine.some(({ roles }) => roles !== undefined),
  };
}

function bodyOf({ parameters }: Example): Json {
  return (parameters.requestParameters ?? {}) as Json;
}

function identitiesOf(example: Example): Identity[] {
  return (bodyOf(example).identities ?? []) as Identity[];
}

function reportIds(example: Example): string[] {
  const named = (bodyOf(example).reports ?? []) as { id: string }[];
  return named.length > 0 ? named.map(({ id }) => id) : [parametersOf(example).reportId];
}

function datasetIds(example: Example): string[] {
  const body = bodyOf(example);
  const named = ((body.datasets ?? []) as { id: string }[]).map(({ id }) => id);
  const identified = identitiesOf(example).flatMap(({ datasets }) => datasets ?? []);
  if (named.length > 0 || body.reports) return named;
  if (identified.length > 0 && !text(body.datasetId)) return [...new Set(identified)];
  return [text(body.datasetId) ?? text(parametersOf(example).datasetId)!];
}

function itemsOf(body: unknown): Json[] {
  const { value } = (body ?? {}) as { value?: Json[] };
  if (value) return value;
  return body && !Array.isArray(body) ? [body as Json] : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
