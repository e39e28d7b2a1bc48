import { Router, type RequestHandler } from 'express';
import { sameId } from '../../content/content.js';
import { dashboardsOf } from '../../content/dashboards.js';
import type { Member, Workspace } from '../../content/model.js';
import type { Emulator } from '../../emulator.js';
import { collection } from '../odata.js';
import { invalidRequest } from '../power-bi-error.js';
import { graphIdOf, rightOn } from './item-users.js';

const types = [
  'Report',
  'PaginatedReport',
  'Dashboard',
  'Dataset',
  'Dataflow',
  'PersonalGroup',
  'Group',
  'Workspace',
  'Capacity',
  'App',
];

interface Entry {
  artifactId: string;
  displayName: string;
  artifactType: string;
  accessRight: string;
}

/** What a user can access; and what is shared with everyone, which the emulator does not support. */
export function adminUsersRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/users/:user/artifactAccess', listAccess(emulator));
  router.get('/users/:user/subscriptions', (_request, response) => {
    response.json(listOf(emulator, 'subscriptionEntities', []));
  });
  for (const path of ['linksSharedToWholeOrganization', 'publishedToWeb']) {
    router.get(`/widelySharedArtifacts/${path}`, (_request, response) => {
      response.json(listOf(emulator, 'artifactAccessEntities', []));
    });
  }
  return router;
}

function listAccess(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const user = String(request.params.user);
    const wanted = typesOf(request.query.artifactTypes);
    const entries = emulator.content.workspaces
      .flatMap((each) => entriesIn(emulator, each, user))
      .filter(({ artifactType }) => wanted.length === 0 || wanted.includes(artifactType));
    response.json(listOf(emulator, 'artifactAccessEntities', entries));
  };
}

function typesOf(value: unknown): string[] {
  const wanted = typeof value === 'string' && value !== '' ? value.split(',').map((each) => each.trim()) : [];
  const unknown = wanted.find((each) => !types.includes(each));
  if (unknown !== undefined) throw invalidRequest(`Unknown artifact type ${unknown}`);
  return wanted;
}

/** A workspace of the user and its items; by UPN or by id in Microsoft Graph. */
function entriesIn(emulator: Emulator, workspace: Workspace, user: string): Entry[] {
  const member = workspace.members.find((each) => isUser(each, user));
  if (!member) return [];
  const entry = (artifactId: string, displayName: string, artifactType: string, accessRight: string) => ({
    artifactId,
    displayName,
    artifactType,
    accessRight,
  });
  const group = workspace.type === 'PersonalGroup' ? 'PersonalGroup' : 'Group';
  const own = entry(workspace.id, workspace.name, group, member.groupUserAccessRight);
  if (emulator.guess('item_access_rights') === 'direct_only') return [own];
  return [
    own,
    ...workspace.reports.map(({ id, name, reportType }) =>
      entry(id, name, reportType === 'PaginatedReport' ? reportType : 'Report', rightOn('Report', member)),
    ),
    ...workspace.datasets.map(({ id, name }) => entry(id, name, 'Dataset', rightOn('Dataset', member))),
    ...dashboardsOf(workspace).map(({ id, displayName }) =>
      entry(id, displayName, 'Dashboard', rightOn('Dashboard', member)),
    ),
  ];
}

function isUser({ identifier }: Member, user: string): boolean {
  return sameId(identifier, user) || sameId(graphIdOf(identifier), user);
}

function listOf(emulator: Emulator, property: string, entries: object[]): object {
  const { value: _value, ...context } = collection(emulator, property, []);
  return { ...context, [property]: entries };
}
