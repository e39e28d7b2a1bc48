import type { Guess } from './guess.js';

/** Undocumented behavior of dashboards, apps, capacities and the admin API. */
export const contentGuesses = {
  dashboard_right: {
    values: ['Contributor', 'Member'],
    certainty: 'assumed',
    source: 'documented for the roles of the portal, not for the API',
    about: 'The lowest role that can add and delete dashboards and clone tiles.',
  },
  tile_position_conflict: {
    values: ['400', '409'],
    certainty: 'assumed',
    source: 'documented: the request is cancelled; the status is not',
    about: 'Cloning a tile to a position that is taken, with positionConflictAction Abort.',
  },
  dashboard_load_error: {
    values: ['LoadReportFailed', 'LoadDashboardFailed'],
    certainty: 'assumed',
    source: 'the official client lists no error code for dashboards',
    about: 'The error event of a dashboard or tile that cannot be loaded.',
  },
  tile_clicked_detail: {
    values: ['with_report', 'tile_id_only'],
    certainty: 'believed',
    source: 'common knowledge',
    about: 'tileClicked contains navigationUrl, pageName and reportEmbedUrl besides tileId.',
  },
  activity_user: {
    values: ['client_id', 'object_id'],
    certainty: 'assumed',
    source: 'not documented',
    about: 'UserId and UserKey of an activity event of a service principal.',
  },
  activity_extras: {
    values: ['present', 'absent'],
    certainty: 'believed',
    source: 'common knowledge; the API definition lacks both',
    about: 'Activity events contain lastResultSet, and EmbedTokenId for embedding.',
  },
  last_continuation: {
    values: ['absent', 'null'],
    certainty: 'assumed',
    source: 'the API definition allows no null',
    about: 'continuationUri and continuationToken of the last chunk of an admin list.',
  },
  item_access_rights: {
    values: ['by_role', 'direct_only'],
    certainty: 'assumed',
    source: 'the rights are documented, not how they follow from a role in the workspace',
    about: 'The users of a report, dataset or dashboard in the admin API are the members of its workspace.',
  },
  admin_update_name: {
    values: ['400', '409'],
    certainty: 'assumed',
    source: 'documented: the name must be unique inside an organization; the response is not',
    about: 'An admin gives a workspace a name that another workspace has.',
  },
  apps_of_principal: {
    values: ['403', '401', 'served'],
    certainty: 'assumed',
    source: 'documented: service principals are not supported; the response is that of other such calls',
    about: 'A service principal calls /apps; served: the apps of the workspaces in which it has a role.',
  },
} as const satisfies Record<string, Guess>;
