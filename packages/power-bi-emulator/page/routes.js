import { updateFilters } from './filters.js';
import { load, refresh, render, renew, session } from './session.js';
import { accepted, later, raiseReportEvent } from './protocol.js';
import { randomId } from './random-id.js';

function give(body) {
  return { body };
}

/** The requests of the official client for a report. All others return 404, as Microsoft's own mock does. */
export const reportRoutes = {
  'POST /frontload/config': () => accepted,
  'POST /report/load': (config) => later(() => load(config)),
  'POST /report/prepare': (config) => later(() => load(config, { render: false })),
  'POST /report/render': () => later(render),
  'POST /report/refresh': () => later(refresh),
  'POST /report/token': (token) => later(() => renew(token)),
  'POST /report/print': () => later(() => print()),
  'POST /report/save': () => later(() => raiseReportEvent('saved', savedReport(false))),
  'POST /report/saveAs': () => later(() => raiseReportEvent('saved', savedReport(true))),
  'POST /report/closeAllOverlays': () => accepted,
  'POST /report/clearSelectedVisuals/*': () => accepted,
  'POST /report/switchMode/*': () => accepted,
  'GET /report/filters': () => give(session.filters),
  'PUT /report/filters': (filters) => filter(filters),
  'POST /report/filters': (body) =>
    filter(updateFilters(session.filters, body.filtersOperation, body.filters)),
  'PATCH /report/settings': (settings) => later(() => Object.assign(session.settings, settings)),
  'GET /report/theme': () => give(session.theme ?? {}),
  'PUT /report/theme': (theme) => later(() => restyle(theme)),
  'GET /report/zoom': () => give(1),
  'GET /report/hasUnsavedChanges': () => give(false),
  'GET /report/userState': () => give({}),
  'POST /report/userState': () => accepted,
  'DELETE /report/userState': () => accepted,
  'GET /report/isUserStateApplied': () => give(false),
  'GET /getCorrelationId': () => give(randomId()),
};

function filter(filters) {
  return later(() => {
    session.filters = filters;
    raiseReportEvent('filtersApplied', { filters });
    render();
  });
}

function restyle(theme) {
  session.theme = theme;
  render();
}

function savedReport(saveAs) {
  const { id, name } = session.opened?.report ?? {};
  return { reportObjectId: id, reportName: name, saveAs };
}
