import type { Guess } from './guess.js';

/** Undocumented behavior of refreshes, queries, imports and My workspace. */
export const restGuesses = {
  refresh_running: {
    values: ['400', 'accepted'],
    certainty: 'observed',
    source: 'forum threads; the text is observed',
    about: 'A refresh while another one runs: 400 "Another refresh request is already executing".',
  },
  refresh_limit: {
    values: ['400', '429'],
    certainty: 'observed',
    source: 'maikvandergaag/msft-extensions#89 and Azure-Samples/powerbi-powershell#14',
    about: 'With documented_limits, the ninth refresh in 24 hours on shared capacity is rejected.',
  },
  content_right: {
    values: ['Contributor', 'Member'],
    certainty: 'assumed',
    source: 'documented as write permission on the report or dataset',
    about: 'The lowest role that can change, delete, clone, download, import and query reports and datasets.',
  },
  import_conflict: {
    values: ['409', '400'],
    certainty: 'believed',
    source: 'common knowledge: DuplicatePackageFoundError',
    about: 'An import with nameConflict=Abort whose name exists.',
  },
  query_without_user: {
    values: ['400', 'no_rows'],
    certainty: 'assumed',
    source:
      'documented: service principals cannot query datasets with row-level security; the response is not',
    about: 'executeQueries without impersonatedUserName on a dataset with row-level security.',
  },
  my_workspace_of_principal: {
    values: ['403', '401', 'personal_workspace'],
    certainty: 'observed',
    source: 'forum 4399905 and others: "API is not accessible for application"',
    about: 'A service principal calls a route without /groups/{groupId}, which is for My workspace.',
  },
} as const satisfies Record<string, Guess>;
