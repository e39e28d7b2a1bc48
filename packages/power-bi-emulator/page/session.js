import { checkToken, openReport } from './server.js';
import { raisePageEvent, raiseReportEvent } from './protocol.js';
import { showBanner, showReport } from './draw.js';
import { watchToken } from './token-watch.js';

/** The one report that this page shows. */
export const session = {
  config: {},
  opened: null,
  page: null,
  filters: [],
  /** Filters of pages and visuals. */
  scoped: {},
  /** Visuals that the client wants sorted upwards. */
  ascending: {},
  settings: {},
  theme: null,
  expired: false,
};

const { watch, renew, fail } = watchToken(session, checkToken, (details) =>
  raiseReportEvent('error', details),
);
export { renew };

/** Opens the report as configured; a failure is an `error` event, never an error status. */
export async function load(config, { render: draws = true } = {}) {
  const fresh = { opened: null, expired: false, scoped: {}, ascending: {} };
  Object.assign(session, fresh, { config, filters: config.filters ?? [] });
  if (await open()) {
    session.page = pageNamed(config.pageName) ?? session.opened.report.pages[0];
    raiseReportEvent('loaded');
    if (draws) render();
  }
  watch();
}

/** Reads the report again with the current token. */
export async function refresh() {
  if (await open()) render();
}

export function render() {
  if (!session.opened) return;
  raiseReportEvent('renderingStarted');
  if (session.opened.never_renders) return;
  showReport(session, activate);
  raiseReportEvent('rendered');
}

export function activate(name) {
  const page = pageNamed(name);
  if (!page) return false;
  session.page = page;
  raiseReportEvent('pageChanged', { newPage: describe(page) });
  render();
  return true;
}

export function describe(page) {
  return {
    name: page.name,
    displayName: page.displayName,
    isActive: page.name === session.page?.name,
    visibility: 0,
    defaultSize: { type: 1, width: 1280, height: 720 },
    defaultDisplayOption: 1,
  };
}

export function pageNamed(name) {
  return session.opened?.report.pages.find((page) => page.name === name);
}

export function raiseOnPage(name, body) {
  raisePageEvent(session.page.name, name, body);
}

async function open() {
  try {
    session.opened = await openReport(session.config);
    showBanner('');
    return true;
  } catch (error) {
    fail(error);
    return false;
  }
}
