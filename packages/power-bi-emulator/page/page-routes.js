import { accepted, missing } from './protocol.js';
import { activate, describe, pageNamed, render, session } from './session.js';
import { randomId } from './random-id.js';

/** What the official client asks of the pages. Changes last until the report is loaded again. */
export const pageRoutes = {
  'GET /report/pages': () => ({ body: session.opened?.report.pages.map(describe) ?? [] }),
  // The page's style fits itself to a narrow frame.
  'GET /report/pages/*/layoutTypes/*': () => ({ body: true }),
  'PUT /report/pages/active': ({ name }) => (activate(name) ? accepted : missing),
  'POST /report/addPage': ({ displayName }) => add(displayName),
  'DELETE /report/pages/*': (_body, name) => remove(name),
  'PUT /report/pages/*/name': ({ displayName }, name) => rename(name, displayName),
};

function add(displayName) {
  if (!session.opened) return missing;
  const page = { name: `ReportSection${randomId()}`, displayName };
  session.opened.report.pages.push(page);
  setTimeout(() => activate(page.name));
  return { body: describe(page) };
}

function remove(name) {
  const { pages = [] } = session.opened?.report ?? {};
  if (!pageNamed(name) || pages.length === 1) return missing;
  pages.splice(pages.indexOf(pageNamed(name)), 1);
  setTimeout(() => activate(pages[0].name));
  return accepted;
}

function rename(name, displayName) {
  const page = pageNamed(name);
  if (!page) return missing;
  page.displayName = displayName;
  setTimeout(() => render());
  return accepted;
}
