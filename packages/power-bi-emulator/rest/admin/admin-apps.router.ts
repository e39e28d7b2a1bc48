import { Router, type RequestHandler } from 'express';
import { findApp } from '../../content/apps.js';
import type { App } from '../../content/model.js';
import type { Emulator } from '../../emulator.js';
import { appView } from '../app-views.js';
import { collection, count, selected } from '../odata.js';
import { invalidRequest } from '../power-bi-error.js';
import { checkGuid } from '../rights.js';
import { existing } from './admin-items.js';
import { adminUser } from './item-users.js';

/** Every app of the tenant. */
export function adminAppsRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/apps', list(emulator));
  router.get('/apps/:app/users', listUsers(emulator));
  return router;
}

function list(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { $top, $skip } = request.query;
    if (!count($top, '$top')) throw invalidRequest('Parameter $top is missing or invalid');
    const all = emulator.content.apps.map((each) => ({ ...appView(each), workspaceId: each.workspaceId }));
    response.json(collection(emulator, 'apps', selected(all, { $top, $skip })));
  };
}

function listUsers(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const app = existing(
      emulator,
      findApp(emulator.content, checkGuid(emulator, request.params.app, 'appId')),
    );
    response.json(collection(emulator, 'users', usersOf(emulator, app)));
  };
}

/** Members of the workspace can do everything, readers of the app read and explore. */
function usersOf(emulator: Emulator, { workspaceId, users = [] }: App): Record<string, unknown>[] {
  const members = emulator.content.findWorkspace(workspaceId)?.members ?? [];
  return [
    ...members.map((each) => ({ ...adminUser(each), appUserAccessRight: 'All' })),
    ...users.map((each) => ({
      ...adminUser({ ...each, principalType: 'User', groupUserAccessRight: 'None' }),
      appUserAccessRight: 'ReadExplore',
    })),
  ];
}
