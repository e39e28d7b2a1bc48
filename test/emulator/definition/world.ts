import { demoPrincipalObjectId } from '../../../packages/power-bi-emulator/demo-tenant.js';
import { answerOf, type Example, type Json, type Operation } from './definition.js';

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
    user: 'john@contoso.com',
    datasetId: someDataset,
    ...parameters,
    groupId: text(parameters.groupId) ?? groupIdOf(example) ?? someGroup,
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
  const capacities = [{ id: someCapacity, displayName: 'Some', sku: 'F2', state: 'Active', region: 'West' }];
  const workspaces = kind === 'groups' && operation.method === 'GET' ? listed.map(workspace) : [];
  const profileIds = text(example.parameters.profileId) ? [{ id: example.parameters.profileId }] : [];
  return {
    capacities: kind === 'capacities' ? listed : capacities,
    profiles: (kind === 'profiles' && listed.length > 0 ? listed : profileIds).map((each) => ({
      displayName: 'Some profile',
      servicePrincipalId: demoPrincipalObjectId,
      ...each,
    })),
    workspaces: workspaces.length > 0 ? workspaces : [place(operation, example, kind, listed)],
  };
}

/** The one workspace of an example about reports, datasets, users or tokens. */
function place(operation: Operation, example: Example, kind: string, listed: Json[]): Json {
  const { groupId } = parametersOf(example);
  const identities = identitiesOf(example);
  const datasets = kind === 'datasets' ? listed : datasetIds(example).map((id) => ({ id }));
  const reports =
    kind === 'reports' && operation.method === 'GET' ? listed : reportIds(example).map((id) => ({ id }));
  const workspaceId = text(listed[0]?.workspaceId);
  return {
    id: workspaceId ?? groupId,
    name: 'Some workspace',
    capacityId: someCapacity,
    members: [principal, ...membersOf(example, kind === 'users' ? listed : [])],
    datasets: datasets.map((each) => ({ ...each, ...flagsOf(text(each.id) ?? '', identities, each) })),
    reports: reports.map((each) => ({
      ...(kind === 'reports' ? {} : boundTo(text(datasets[0]?.id), identities)),
      ...(kind === 'pages' && { pages: listed }),
      ...each,
    })),
  };
}

/** Those that the example lists, or whom it changes or removes. */
function membersOf({ parameters }: Example, listed: Json[]): Json[] {
  const changed = (parameters.userDetails ?? { identifier: parameters.user }) as Json;
  const named = listed.length > 0 ? listed : [{ groupUserAccessRight: 'Member', ...changed }];
  return named.map(member).filter(({ identifier }) => identifier !== undefined);
}

function workspace(item: Json): Json {
  const users = Array.isArray(item.users) ? item.users.map(member) : [principal];
  return { ...item, members: users, reports: item.reports ?? [], datasets: item.datasets ?? [] };
}

function member(user: Json): Json {
  return { identifier: user.emailAddress, principalType: 'User', ...user };
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
  const [own] = identitiesOf(example).flatMap(({ datasets }) => datasets ?? []);
  const single = text(body.datasetId) ?? own ?? text(parametersOf(example).datasetId)!;
  return named.length > 0 || body.reports ? named : [single];
}

function itemsOf(body: unknown): Json[] {
  const { value } = (body ?? {}) as { value?: Json[] };
  if (value) return value;
  return body && !Array.isArray(body) ? [body as Json] : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
