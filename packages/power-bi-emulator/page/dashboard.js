import { drawDashboard } from './draw-dashboard.js';
import { showBanner } from './draw.js';
import { accepted, later, raiseEvent } from './protocol.js';
import { checkDashboard, openDashboard } from './server.js';
import { watchToken } from './token-watch.js';

/** The one dashboard, or the one tile, that this page shows. */
const session = { component: 'dashboards', config: {}, opened: null, expired: false };
const { watch, renew, fail } = watchToken(
  session,
  (config) => checkDashboard(session.component, config),
  (details) => raise('error', details),
);

/** The requests of the official client for a dashboard or a tile. */
export const dashboardRoutes = {
  'POST /frontload/config': () => accepted,
  'POST /dashboard/load': (config) => later(() => load('dashboards', config)),
  'POST /dashboard/prepare': (config) => later(() => load('dashboards', config)),
  'POST /tile/load': (config) => later(() => load('tile', config)),
  'POST /dashboard/token': (token) => later(() => renew(token)),
  'POST /tile/token': (token) => later(() => renew(token)),
  'POST /report/token': (token) => later(() => renew(token)),
};

async function load(component, config) {
  Object.assign(session, { component, config, opened: null, expired: false });
  try {
    session.opened = await openDashboard(component, config);
  } catch (error) {
    fail(error);
    return;
  }
  showBanner('');
  drawDashboard(session.opened, { fills: component === 'tile', pageView: config.pageView }, click);
  raise('loaded');
  if (component === 'tile') raise('tileLoaded', session.opened.tiles[0].clicked);
  else raise('rendered');
  watch();
}

function click(tile) {
  raise('tileClicked', tile.clicked);
}

function raise(name, body) {
  raiseEvent(session.component, name, body);
}
