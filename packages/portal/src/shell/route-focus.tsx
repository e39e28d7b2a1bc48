import { useEffect } from 'react';
import { Outlet, useLocation } from 'react-router';
import { focusPage } from './keep-focus.js';

/** Puts focus on the heading of a page that a link opened, so that it is announced and read from its beginning. */
export function RouteFocus() {
  const { pathname } = useLocation();
  useEffect(focusPage, [pathname]);
  return <Outlet />;
}
