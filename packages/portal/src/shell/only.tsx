import { lazy, Suspense } from 'react';
import { Outlet } from 'react-router';
import { QueryView } from '../components/query-view.js';
import { Loading } from '../components/states.js';
import { load } from '../load/load-error.js';
import { isAdmin, managesAny, useMe } from '../session/use-session.js';
import type { Audience } from './refused.js';

const Refused = lazy(load(() => import('./refused.js')));

/** Around the pages that others get no response on: one message instead of a failure in each part. */
export function Only({ isFor }: { isFor: Audience }) {
  const me = useMe();
  const isAllowed = isFor === 'admins' ? isAdmin : managesAny;
  return (
    <QueryView query={me} loading={<Loading />}>
      {(person) =>
        isAllowed(person) ? (
          <Outlet />
        ) : (
          <Suspense fallback={<Loading />}>
            <Refused isFor={isFor} />
          </Suspense>
        )
      }
    </QueryView>
  );
}
