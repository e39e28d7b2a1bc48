import { createBrowserRouter, Navigate } from 'react-router';
import { Crashed } from './pages/crashed.js';
import { NotFound } from './pages/not-found.js';
import { basePath } from './settings.js';
import { Admins } from './shell/admins.js';
import { Entry } from './shell/entry.js';
import { Loading } from './components/states.js';
import { SignedIn } from './shell/signed-in.js';

/** The page of a module that is loaded when it is first opened: every page exports `Component`. */
export const router = createBrowserRouter(
  [
    {
      errorElement: <Crashed />,
      hydrateFallbackElement: <Loading />,
      children: [
        {
          element: <Entry />,
          children: [
            { path: 'sign-in', lazy: () => import('./pages/entry/sign-in.js') },
            { path: 'signed-in', lazy: () => import('./pages/entry/signed-in.js') },
            { path: 'invitation', lazy: () => import('./pages/entry/invitation.js') },
            { path: 'password-reset', lazy: () => import('./pages/entry/password-reset.js') },
          ],
        },
        {
          element: <SignedIn />,
          children: [
            { index: true, element: <Navigate to="/workspaces" replace /> },
            { path: 'workspaces', lazy: () => import('./pages/workspaces/workspaces.js') },
            { path: 'workspaces/:id', lazy: () => import('./pages/workspaces/workspace.js') },
            { path: 'reports', lazy: () => import('./pages/reports/reports.js') },
            { path: 'reports/:id', lazy: () => import('./pages/reports/report.js') },
            { path: 'account', lazy: () => import('./pages/account/account.js') },
            { path: 'invitations', lazy: () => import('./pages/invitations/invitations.js') },
            { path: 'invitations/bulk', lazy: () => import('./pages/invitations/bulk/bulk.js') },
            { path: 'embedding', lazy: () => import('./pages/embedding/embedding.js') },
            { path: 'health', lazy: () => import('./pages/health/health.js') },
            {
              element: <Admins />,
              children: [
                { path: 'users', lazy: () => import('./pages/users/users.js') },
                { path: 'users/:id', lazy: () => import('./pages/users/user.js') },
                {
                  path: 'service-accounts',
                  lazy: () => import('./pages/service-accounts/service-accounts.js'),
                },
                {
                  path: 'service-accounts/:id',
                  lazy: () => import('./pages/service-accounts/service-account.js'),
                },
                { path: 'syncs', lazy: () => import('./pages/syncs/syncs.js') },
                { path: 'datasets', lazy: () => import('./pages/datasets/datasets.js') },
                { path: 'audit', lazy: () => import('./pages/audit/audit.js') },
              ],
            },
          ],
        },
        { path: '*', element: <NotFound /> },
      ],
    },
  ],
  { basename: basePath === '' ? '/' : basePath },
);
