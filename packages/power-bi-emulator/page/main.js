import { listen } from './protocol.js';
import { bookmarkRoutes } from './bookmarks.js';
import { dashboardRoutes } from './dashboard.js';
import { pageRoutes } from './page-routes.js';
import { reportRoutes } from './routes.js';
import { visualRoutes } from './visual-routes.js';

const isDashboard = ['/dashboardEmbed', '/embed'].includes(location.pathname);
listen(
  isDashboard ? dashboardRoutes : { ...reportRoutes, ...pageRoutes, ...visualRoutes, ...bookmarkRoutes },
);
