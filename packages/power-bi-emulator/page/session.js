import { checkToken, openReport } from './server.js';
import { raisePageEvent, raiseReportEvent } from './protocol.js';
import { showBanner, showReport } from './draw.js';

/** Life of a token is looked at this often: the emulator's clock can be moved while the page is open. */
const checkEveryMs = 1000;

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

let timer;

/** Opens the report as configured; what goes wrong is an `error` event, never a refused request. */
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

/** Reads the report again with the token of now. */
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

/** Before the end a new token just takes over; afterwards the report needs a reload. A bad one changes nothing. */
export async function renew(accessToken) {
  const config = { ...session.config, accessToken };
  try {
    await checkToken(config);
  } catch (error) {
    fail(error);
    return;
  }
  session.config = config;
  if (session.expired && session.opened?.reload_after_expiry === false) {
    session.expired = false;
    showBanner('');
  }
  if (!session.expired) watch();
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

function watch() {
  clearTimeout(timer);
  if (!session.opened) return;
  timer = setTimeout(() => void check(), checkEveryMs);
}

async function check() {
  try {
    await checkToken(session.config);
    watch();
  } catch (error) {
    session.expired = true;
    fail(error);
  }
}

function fail(error) {
  const details = error?.message && error?.detailedMessage ? error : unreachable(error);
  showBanner(`${details.message}: ${details.detailedMessage}`);
  raiseReportEvent('error', details);
}

function unreachable(error) {
  return { message: 'LoadReportFailed', detailedMessage: String(error), errorCode: '500', level: 4 };
}
