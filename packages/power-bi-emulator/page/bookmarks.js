import { pageNamed, render, session } from './session.js';
import { raiseReportEvent } from './protocol.js';
import { randomId } from './random-id.js';

/** Bookmarks hold the page and the filters; the demo reports bring none of their own. */
export const bookmarkRoutes = {
  'GET /report/bookmarks': () => ({ body: [] }),
  'POST /report/bookmarks/capture': () => ({ body: capture() }),
  'POST /report/bookmarks/applyByName': ({ name }) => ({
    statusCode: 404,
    body: { message: `Bookmark ${name} not found` },
  }),
  'POST /report/bookmarks/play': () => ({ statusCode: 202, body: {} }),
  'POST /report/bookmarks/applyState': ({ state }) => apply(state),
};

function capture() {
  const state = btoa(JSON.stringify({ page: session.page?.name, filters: session.filters }));
  return { name: `Bookmark${randomId()}`, displayName: '', state };
}

function apply(state) {
  const { page, filters } = JSON.parse(atob(state));
  session.page = pageNamed(page) ?? session.page;
  session.filters = filters;
  setTimeout(() => {
    raiseReportEvent('bookmarkApplied', { bookmarkName: '' });
    render();
  });
  return { statusCode: 202, body: {} };
}
