import { session } from './session.js';
import { visualsOf } from './visuals.js';

/** What the official client asks of a page's visuals. */
export const visualRoutes = {
  'GET /report/pages/*/visuals': () =>
    onReport(() => visualsOf(session).map(({ name, title, type }) => ({ name, title, type, layout: {} }))),
  'GET /report/pages/*/filters': () => ({ body: [] }),
  'GET /report/pages/*/visuals/*/filters': () => ({ body: [] }),
  'POST /report/pages/*/visuals/*/exportData': (body, _page, name) =>
    onReport(() => exportData(name, body?.rows)),
};

function onReport(read) {
  return session.opened ? { body: read() } : { statusCode: 404, body: {} };
}

function exportData(name, rows = Infinity) {
  const visual = visualsOf(session).find((each) => each.name === name);
  const lines = [visual?.columns ?? [], ...(visual?.table.slice(0, rows) ?? [])];
  return { data: lines.map((line) => line.map(field).join(',')).join('\r\n') };
}

function field(value) {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
