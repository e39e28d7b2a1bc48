import { createBrowserRouter, type RouteObject } from 'react-router';
import { load } from './load/load-error.js';
import { RouteError, ShellError } from './load/route-error.js';
import { NotFound } from './pages/not-found.js';
import { basePath } from './settings.js';
import { Entry } from './shell/entry.js';
import { Loading } from './components/states.js';
import { MaybeShell } from './shell/maybe-shell.js';
import { Only } from './shell/only.js';
import { RouteFocus } from './shell/route-focus.js';
import { SignedIn } from './shell/signed-in.js';

/** Inside the shell, so that a page that fails does not take the navigation with it. */
const inShell = (children: RouteObject[]): RouteObject[] => [{ errorElement: <RouteError />, children }];

/** The page of a module that is loaded when it is first opened: every page exports `Component`. */
export const router = createBrowserRouter(
  [
    {
      element: <RouteFocus />,
      errorElement: <ShellError />,
      hydrateFallbackElement: <Loading />,
      children: [
        {
          element: <Entry />,
          children: inShell([
            { path: 'sign-in', lazy: load(() => import('./pages/entry/sign-in.js')) },
            { path: 'signed-in', lazy: load(() => import('./pages/entry/signed-in.js')) },
            { path: 'invitation', lazy: load(() => import('./pages/entry/invitation.js')) },
            { path: 'password-reset', lazy: load(() => import('./pages/entry/password-reset.js')) },
          ]),
        },
        {
          element: <SignedIn />,
          children: inShell([
            { index: true, lazy: load(() => import('./pages/home/home.js')) },
            { path: 'favourites', lazy: load(() => import('./pages/favourites/favourites.js')) },
            { path: 'workspaces', lazy: load(() => import('./pages/workspaces/workspaces.js')) },
            { path: 'workspaces/:id', lazy: load(() => import('./pages/workspaces/workspace.js')) },
            { path: 'reports', lazy: load(() => import('./pages/reports/reports.js')) },
            { path: 'reports/:id', lazy: load(() => import('./pages/reports/report.js')) },
            { path: 'reports/:id/access', lazy: load(() => import('./pages/reports/report-access.js')) },
            {
              path: 'access-requests',
              lazy: load(() => import('./pages/access-requests/access-requests.js')),
            },
            { path: 'analytics/reports/:id', lazy: load(() => import('./pages/analytics/report-usage.js')) },
            { path: 'account', lazy: load(() => import('./pages/account/account.js')) },
            { path: 'help', lazy: load(() => import('./pages/help/help.js')) },
            { path: 'health', lazy: load(() => import('./pages/health/health.js')) },
            {
              element: <Only isFor="managers" />,
              children: [
                { path: 'access-review', lazy: load(() => import('./pages/access-review/access-review.js')) },
                { path: 'analytics', lazy: load(() => import('./pages/analytics/overview.js')) },
                { path: 'analytics/reports', lazy: load(() => import('./pages/analytics/report-list.js')) },
                { path: 'analytics/unused', lazy: load(() => import('./pages/analytics/unused.js')) },
                { path: 'analytics/adoption', lazy: load(() => import('./pages/analytics/adoption.js')) },
                { path: 'invitations', lazy: load(() => import('./pages/invitations/invitations.js')) },
                { path: 'invitations/bulk', lazy: load(() => import('./pages/invitations/bulk/bulk.js')) },
                { path: 'embedding', lazy: load(() => import('./pages/embedding/embedding.js')) },
              ],
            },
            {
              element: <Only isFor="admins" />,
              children: [
                { path: 'users', lazy: load(() => import('./pages/users/users.js')) },
                { path: 'users/:id', lazy: load(() => import('./pages/users/user.js')) },
                { path: 'users/:id/view-as', lazy: load(() => import('./pages/users/view-as.js')) },
                { path: 'groups', lazy: load(() => import('./pages/groups/groups.js')) },
                { path: 'groups/:id', lazy: load(() => import('./pages/groups/group.js')) },
                {
                  path: 'service-accounts',
                  lazy: load(() => import('./pages/service-accounts/service-accounts.js')),
                },
                {
                  path: 'service-accounts/:id',
                  lazy: load(() => import('./pages/service-accounts/service-account.js')),
                },
                { path: 'syncs', lazy: load(() => import('./pages/syncs/syncs.js')) },
                { path: 'datasets', lazy: load(() => import('./pages/datasets/datasets.js')) },
                { path: 'settings/branding', lazy: load(() => import('./pages/branding/branding.js')) },
                { path: 'settings/webhooks', lazy: load(() => import('./pages/webhooks/webhooks.js')) },
                { path: 'settings/webhooks/:id', lazy: load(() => import('./pages/webhooks/webhook.js')) },
                {
                  path: 'settings/provisioning',
                  lazy: load(() => import('./pages/provisioning/provisioning.js')),
                },
                { path: 'audit', lazy: load(() => import('./pages/audit/audit.js')) },
              ],
            },
          ]),
        },
        { element: <MaybeShell />, children: inShell([{ path: '*', element: <NotFound /> }]) },
      ],
    },
  ],
  { basename: basePath === '' ? '/' : basePath },
);
