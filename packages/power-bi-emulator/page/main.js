import { listen } from './protocol.js';
import { bookmarkRoutes } from './bookmarks.js';
import { pageRoutes } from './page-routes.js';
import { reportRoutes } from './routes.js';
import { visualRoutes } from './visual-routes.js';

listen({ ...reportRoutes, ...pageRoutes, ...visualRoutes, ...bookmarkRoutes });
