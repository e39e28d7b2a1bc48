import { contentGuesses } from './content-guesses.js';
import type { Guess } from './guess.js';
import { restGuesses } from './rest-guesses.js';

/** Every behavior that Microsoft does not document. Each can be corrected with a real tenant. */
export const guesses = {
  missing_bearer: {
    values: ['403_empty', '401'],
    certainty: 'observed',
    source: 'two independent live measurements',
    about: 'A call without Authorization returns 403 with an empty body.',
  },
  malformed_bearer: {
    values: ['403_invalid_token', '401'],
    certainty: 'observed',
    source: 'two independent live measurements',
    about: 'A malformed or foreign token returns 403, empty, x-powerbi-error-info: InvalidToken.',
  },
  expired_bearer: {
    values: ['403_body', '403_header'],
    certainty: 'observed',
    source: 'captured responses; the header alone by two third-party clients',
    about:
      'An expired token returns 403 TokenExpired in the body and in x-powerbi-error-info, or in the header only.',
  },
  no_workspace_role: {
    values: ['401_not_authorized', '401_group_not_accessible', '404'],
    certainty: 'observed',
    source: 'MicrosoftDocs/powerbi-docs#1096',
    about: 'A workspace in which the caller has no role returns 401 PowerBINotAuthorizedException.',
  },
  not_found: {
    values: ['404', '401'],
    certainty: 'observed',
    source: 'third-party clients; the code is in the official client',
    about: 'An unknown workspace, report or dataset returns 404 PowerBIEntityNotFound.',
  },
  personal_workspace: {
    values: ['401_group_not_accessible', '404'],
    certainty: 'observed',
    source: 'third-party clients',
    about: 'A groups API request for a personal workspace returns 401 GroupNotAccessible.',
  },
  tenant_switch_off: {
    values: ['401_header', '401_body', '403_body'],
    certainty: 'observed',
    source: 'AzureAD/microsoft-authentication-library-for-python#374 and forum threads',
    about:
      'When the tenant setting for service principals is off: x-powerbi-error-info, or "API is not accessible for application".',
  },
  odata_context: {
    values: ['http_cluster', 'absent'],
    certainty: 'observed',
    source: "fixture in a Go client's tests",
    about: '@odata.context contains the regional cluster with the http scheme.',
  },
  report_extras: {
    values: ['present', 'absent'],
    certainty: 'observed',
    source: 'microsoft/semantic-link-labs',
    about: 'Reports contain isFromPbix, datasetWorkspaceId, users and subscriptions beyond the definition.',
  },
  group_type: {
    values: ['present', 'absent'],
    certainty: 'believed',
    source: 'common knowledge',
    about: 'Groups contain type "Workspace".',
  },
  embed_url_config: {
    values: ['present', 'absent'],
    certainty: 'observed',
    source: 'embed URLs in public code',
    about: 'embedUrl contains w=2 and a base64 config with the cluster.',
  },
  viewer_generate_token: {
    values: ['401', 'allowed'],
    certainty: 'observed',
    source: 'third-party reports; the documentation requires Member',
    about: 'A Viewer can read reports but gets 401 from GenerateToken.',
  },
  contributor_generate_token: {
    values: ['401', 'allowed'],
    certainty: 'observed',
    source: 'disputed: the documentation requires Member, third parties say Contributor works',
    about: 'A Contributor gets 401 from GenerateToken.',
  },
  rls_identity_missing: {
    values: ['400', 'issued'],
    certainty: 'observed',
    source: 'many; the failure is documented, the text is not',
    about: 'RLS dataset without identity: 400 "requires effective identity to be provided".',
  },
  rls_roles_missing: {
    values: ['400', 'issued'],
    certainty: 'observed',
    source: 'many',
    about:
      'Roles required but none provided: 400 "requires roles to be included in provided effective identity".',
  },
  rls_identity_needless: {
    values: ['400', 'issued'],
    certainty: 'observed',
    source: 'many',
    about: 'Identity for a dataset without RLS: 400 "shouldn\'t have effective identity".',
  },
  rls_role_unknown: {
    values: ['issued', '400'],
    certainty: 'observed',
    source: 'third-party reports',
    about:
      'A role that the model does not define: the token is issued, the query fails later in the browser.',
  },
  live_connection_username: {
    values: ['400', 'issued'],
    certainty: 'observed',
    source: 'MicrosoftDocs/powerbi-docs#910',
    about: 'Analysis Services live connection: username must be the object id of the service principal.',
  },
  v1_multiple_identities: {
    values: ['400', 'issued'],
    certainty: 'observed',
    source: 'microsoft/powerbi-jupyter#20',
    about: 'Several identities in a V1 call: 400 "multiple identities is not supported".',
  },
  missing_content_type: {
    values: ['400', '415', 'parsed'],
    certainty: 'observed',
    source: 'microsoft/powerbi-jupyter#20; the text is observed, the status is not',
    about: 'A body without Content-Type is rejected.',
  },
  report_without_dataset: {
    values: ['issued', '400'],
    certainty: 'assumed',
    source: 'the documentation requires dataset ids, but not the result without them',
    about: "A V2 request with a report but without its dataset: issued, the dataset's RLS rules applied.",
  },
  paginated_without_xmla: {
    values: ['400', 'issued'],
    certainty: 'assumed',
    source: "Microsoft's example has it; the response without it is not documented",
    about:
      'A V2 request with a paginated report whose dataset lacks `"xmlaPermissions": "ReadOnly"` returns 400.',
  },
  negative_lifetime: {
    values: ['400', 'default'],
    certainty: 'assumed',
    source: 'documented as a positive integer, 0 and null meaning the default',
    about: 'A negative lifetimeInMinutes returns 400.',
  },
  excessive_lifetime: {
    values: ['capped', '400'],
    certainty: 'assumed',
    source: 'documented: "can be used to shorten, not to extend"',
    about: 'A lifetimeInMinutes above the remaining lifetime of the Entra token is capped.',
  },
  empty_token_request: {
    values: ['400', 'issued'],
    certainty: 'assumed',
    source: 'the definition requires no member',
    about: 'A V2 request without reports and datasets returns 400.',
  },
  embed_token_tail: {
    values: ['newer', 'older'],
    certainty: 'observed',
    source: 'tokens in public code',
    about: 'The second part of an embed token contains clusterUrl, exp and allowAccessOverPublicInternet.',
  },
  unmatched_username: {
    values: ['empty', 'spinner'],
    certainty: 'observed',
    source: 'third-party reports disagree',
    about: 'A username that matches no rows: visuals are empty, or the report never finishes rendering.',
  },
  invalid_id: {
    values: ['400', '404'],
    certainty: 'observed',
    source: 'third-party clients',
    about: 'An id that is not a GUID returns 400 InvalidRequest.',
  },
  quota_refusal: {
    values: ['coded', 'message_only'],
    certainty: 'observed',
    source: 'forum 4589915; the status is documented, the format is not',
    about: 'The 403 of an exhausted embed token quota is {"error":{code,message}}.',
  },
  target_storage_mode: {
    values: ['Abf', 'PremiumFiles'],
    certainty: 'believed',
    source: 'common knowledge',
    about: 'targetStorageMode of the datasets.',
  },
  entra_error_numbers: {
    values: ['present', 'absent'],
    certainty: 'believed',
    source: '7000215 and 70011 are documented, the other numbers are common knowledge',
    about: 'Error responses of the token endpoint contain AADSTS numbers.',
  },
  access_token_version: {
    values: ['1.0', '2.0'],
    certainty: 'believed',
    source: 'common knowledge',
    about: 'Tokens for Power BI are v1.0: iss https://sts.windows.net/{tenant}/, appid.',
  },
  profile_refused: {
    values: ['403', '401'],
    certainty: 'assumed',
    source: 'the rejection is documented, the status is not',
    about:
      "Another service principal's profile, any profile for a user, and profile management under a profile are rejected.",
  },
  profile_throttling: {
    values: ['shared', 'separate'],
    certainty: 'assumed',
    source: 'no public information',
    about: 'Profiles share the request budget of their service principal.',
  },
  workspace_limit: {
    values: ['400', '403'],
    certainty: 'assumed',
    source: 'the limit of 1,000 workspaces is documented, the response is not',
    about: 'The 1,001st workspace of a service principal or of a profile is rejected.',
  },
  manage_users_right: {
    values: ['Admin', 'Member'],
    certainty: 'assumed',
    source: 'not documented for the API',
    about: 'The lowest role that can change the users of a workspace and assign its capacity.',
  },
  refresh_right: {
    values: ['Contributor', 'Viewer'],
    certainty: 'assumed',
    source: 'documented as write permission on the dataset',
    about: 'The lowest role that can refresh a dataset and list its refreshes.',
  },
  unknown_route: {
    values: ['404_message', '404_empty'],
    certainty: 'believed',
    source: 'the response of ASP.NET',
    about: 'A path that does not exist returns 404 with a Message.',
  },
  managed_identity_refusal: {
    values: ['oauth', 'empty'],
    certainty: 'assumed',
    source: 'differs by host and version',
    about: 'Error responses of the managed identity endpoints are {error, error_description}.',
  },
  principal_type_missing: {
    values: ['400', 'user'],
    certainty: 'observed',
    source: 'MicrosoftDocs/powerbi-docs#797; an official example omits it',
    about:
      'Adding a user without principalType: 400 "Parameter userDetails.PrincipalType is missing or invalid".',
  },
  scan_running: {
    values: ['shown', 'skipped'],
    certainty: 'believed',
    source: 'common knowledge',
    about: 'A scan passes through status Running between NotStarted and Succeeded.',
  },
  job_result_early: {
    values: ['404', '400'],
    certainty: 'assumed',
    source: 'not documented',
    about: 'Requesting a scan result or an export file before it is available, or after 24 hours.',
  },
  export_retry_after: {
    values: ['present', 'absent'],
    certainty: 'observed',
    source: 'documentation and samples differ; "not always present"',
    about: 'The status response of a running export contains Retry-After.',
  },
  export_unknown_page: {
    values: ['400', 'fails'],
    certainty: 'assumed',
    source: 'not documented',
    about: 'An export that names a page that the report does not have.',
  },
  export_too_many_pages: {
    values: ['400', 'fails'],
    certainty: 'assumed',
    source: 'documented: more than 50 pages return an error and the job is cancelled; the format is not',
    about: 'An export of more than 50 pages.',
  },
  export_label: {
    values: ['fails', '403'],
    certainty: 'assumed',
    source: 'the refusal for service principals is documented, its format is not',
    about: 'An export of a report with a sensitivity label: the job fails, or is not accepted.',
  },
  export_shared_capacity: {
    values: ['403', '400'],
    certainty: 'assumed',
    source: 'the requirement of a capacity is documented, the response is not',
    about: 'An export in a workspace without a Premium, Embedded or Fabric capacity.',
  },
  admin_groups_count: {
    values: ['present', 'absent'],
    certainty: 'observed',
    source: 'andrewvillazon/pbipy#35',
    about: '/admin/groups contains @odata.count.',
  },
  admin_id_case: {
    values: ['as_stored', 'upper'],
    certainty: 'observed',
    source: 'the examples of the official definition contain both',
    about: 'Ids of workspaces and reports in admin lists; GUIDs must be compared without regard to case.',
  },
  throttled_body: {
    values: ['message_only', 'coded', 'empty'],
    certainty: 'observed',
    source: 'RuiRomano/pbimonitor#58',
    about:
      'A 429 is {"message": "You have exceeded … Retry in N seconds."}, or an error with code TooManyRequests.',
  },
  conditional_access: {
    values: ['off', 'challenge'],
    certainty: 'observed',
    source: 'third-party clients',
    about: 'Every call returns 401 with WWW-Authenticate: Bearer error="insufficient_claims".',
  },
  token_endpoint_statuses: {
    values: ['401_for_invalid_client', 'always_400'],
    certainty: 'believed',
    source: 'common knowledge',
    about: 'The token endpoint returns 401 for invalid_client and 400 for all other errors.',
  },
  token_lifetime: {
    values: ['as_set', 'random_60_to_90_minutes'],
    certainty: 'observed',
    source: 'third-party reports; the embedding documentation specifies one hour',
    about: 'The lifetime of Entra tokens is entra_token_seconds, or a random 60 to 90 minutes.',
  },
  sha1_thumbprint: {
    values: ['accepted', 'refused'],
    certainty: 'believed',
    source: 'older MSAL signs RS256 with x5t',
    about: 'A client assertion may identify its certificate by SHA-1 thumbprint.',
  },
  v1_token_numbers: {
    values: ['strings', 'numbers'],
    certainty: 'believed',
    source: 'common knowledge',
    about: 'The v1 token endpoint and App Service write expires_in and expires_on as strings.',
  },
  refresh_permissions_delay: {
    values: ['2_minutes', 'at_once'],
    certainty: 'observed',
    source: 'documented as "about two minutes"',
    about: 'RefreshUserPermissions shows new grants after two minutes.',
  },
  renewal_after_expiry: {
    values: ['reload_needed', 'continues'],
    certainty: 'observed',
    source: 'microsoft/powerbi-client-react#23',
    about:
      'A token set after the old one expired is accepted, but the report works again only after a reload.',
  },
  ...contentGuesses,
  ...restGuesses,
} as const satisfies Record<string, Guess>;

export type GuessName = keyof typeof guesses;
export type GuessChoices = { [name in GuessName]: (typeof guesses)[name]['values'][number] };

export function guessChoices(): GuessChoices {
  const choices = Object.entries(guesses).map(([name, guess]) => [name, guess.values[0]]);
  return Object.fromEntries(choices) as GuessChoices;
}

export function isGuess([name, value]: [string, unknown]): boolean {
  const known: Record<string, Guess> = guesses;
  return Object.hasOwn(known, name) && known[name]!.values.some((each) => each === value);
}
