import { accepted, missing } from './protocol.js';
import { scopedFilters, setScopedFilters, updateFilters } from './filters.js';
import { pageNamed, render, session } from './session.js';
import { visualsOf } from './visuals.js';

const slicer = { name: 'slicer', type: 'slicer' };

/** What the official client asks of a page's visuals, and of the slicer in the head of the report. */
export const visualRoutes = {
  'GET /report/pages/*/visuals': (_body, page) => onPage(page, (found) => listed(found)),
  'GET /report/pages/*/filters': (_body, page) => onPage(page, () => scopedFilters(session, page)),
  'PUT /report/pages/*/filters': (filters, page) => filter(filters, page),
  'POST /report/pages/*/filters': (body, page) => update(body, page),
  'GET /report/pages/*/visuals/*/filters': (_body, page, name) =>
    onPage(page, () => scopedFilters(session, page, name)),
  'PUT /report/pages/*/visuals/*/filters': (filters, page, name) => filter(filters, page, name),
  'POST /report/pages/*/visuals/*/filters': (body, page, name) => update(body, page, name),
  'GET /report/pages/*/visuals/*/slicer': () => ({ body: { filters: session.filters } }),
  'PUT /report/pages/*/visuals/*/slicer': ({ filters }) => slice(filters),
  'PUT /report/pages/*/visuals/*/sortBy': ({ direction }, page, name) => sort(direction, page, name),
  'POST /report/pages/*/visuals/*/exportData': (body, page, name) =>
    onPage(page, (found) => exportData(found, name, body?.rows)),
};

function onPage(name, read) {
  const page = pageNamed(name);
  return page ? { body: read(page) } : missing;
}

function listed(page) {
  const title = session.opened.theme.category;
  return [...visualsOf(session, page), { ...slicer, title }].map(({ name, title, type }) => {
    return { name, title, type, layout: {} };
  });
}

function filter(filters, page, visual) {
  setScopedFilters(session, filters, page, visual);
  return redrawn();
}

function update({ filtersOperation, filters }, page, visual) {
  const current = scopedFilters(session, page, visual);
  return filter(updateFilters(current, filtersOperation, filters), page, visual);
}

function slice(filters) {
  session.filters = filters;
  return redrawn();
}

/** Ascending is 1, descending, as things are drawn anyway, 2. */
function sort(direction, page, name) {
  session.ascending[`${page}/${name}`] = direction === 1;
  return redrawn();
}

function redrawn() {
  setTimeout(() => render());
  return accepted;
}

function exportData(page, name, rows = Infinity) {
  const visual = visualsOf(session, page).find((each) => each.name === name);
  const lines = [visual?.columns ?? [], ...(visual?.table.slice(0, rows) ?? [])];
  return { data: lines.map((line) => line.map(field).join(',')).join('\r\n') };
}

function field(value) {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
