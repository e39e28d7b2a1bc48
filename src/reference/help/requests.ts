import type { Topic } from './help.js';

/** Codes for errors in the request itself. */
export const requests = {
  malformed_json: {
    means: 'A quote or a comma is missing, the shell removed the quotes, or the body is not UTF-8.',
    caller:
      'Send valid JSON. In a shell, put the body in single quotes: `-d \'{"email":"ada@example.com"}\'`.',
  },
  malformed_request: {
    means:
      'The path has an invalid `%` escape, the body is shorter than its `Content-Length`, the header `Host` is missing, or `Host`, `Authorization` or `Content-Type` is sent more than once.',
    caller: 'Correct the URL or the client that builds the request.',
  },
  request_timeout: {
    means:
      'The headers or the body were not received within `HEADERS_TIMEOUT_SECONDS` or `REQUEST_TIMEOUT_SECONDS`.',
    caller: 'Send the complete request without delay. Check the network connection.',
  },
  uri_too_long: {
    means: 'The path and query exceed 4096 characters.',
    caller: 'Omit unnecessary parameters. Use the URL in `Link` unchanged.',
  },
  invalid_request: {
    means:
      '`errors` lists each invalid value with a JSON pointer into the body (`/workspaces/0/role`), to a query parameter (`/limit`) or to a part of the path. Unknown names are rejected too, so a misspelled parameter is never ignored.',
    caller:
      'Correct the values in `errors`. `/docs` and `openapi.json` describe the parameters of each route.',
  },
  unsupported_grant_type: {
    means:
      '`grant_type` of `POST /api/auth/token` is not one of the supported values, which the detail lists.',
    caller: 'Use a supported grant type. For email and password, omit `grant_type`.',
  },
  scim_resource_not_found: {
    means: 'No user, group, schema or path below `/scim/v2` matches.',
    caller: 'Search again with a filter: the resource may have been deleted.',
  },
  scim_not_supported: {
    means: 'The client uses an optional part of SCIM.',
    caller: 'Read `/scim/v2/ServiceProviderConfig`, and send what it lists as supported.',
  },
  route_not_found: {
    means:
      'The path does not exist. Often the prefix `/api` is missing. `/docs` and `/openapi.json` are available only if they are enabled.',
    caller: 'Check the path against `openapi.json`.',
    operator:
      'Set `DOCS_ENABLED=true` to serve `/openapi.json`. `/docs` is part of the development packages, which images and release archives do not contain. Check that the proxy forwards the path unchanged.',
  },
  method_not_allowed: {
    means: 'The path exists; the header `Allow` lists its methods.',
    caller: 'Use one of the methods in `Allow`. `PATCH` updates a part of a resource, `PUT` replaces it.',
  },
  not_acceptable: {
    means: 'The route offers several media types, and the header `Accept` allows none of them.',
    caller: 'Send one of the types that the detail lists, or omit `Accept` for JSON.',
  },
  payload_too_large: {
    means:
      'The maximum body size is 100 kB; 16 kB below `/api/auth/` and `/login/`, 64 kB below `/api/usage/`, 256 kB for an image of the branding, and 2 MB below `/scim/`. The connection is closed after this response.',
    caller: 'Split the request: for example, invite with at most 100 workspaces.',
  },
  unsupported_media_type: {
    means: 'The body is not declared as JSON, is compressed, or is not UTF-8.',
    caller:
      "Send `Content-Type: application/json`, uncompressed. With curl: `-H 'Content-Type: application/json'`.",
  },
  expectation_failed: {
    means: 'The header `Expect` has a value other than `100-continue`.',
    caller: 'Omit the header.',
  },
  header_too_large: {
    means: 'Usually too many cookies, or a token from another service.',
    caller: 'Clear the cookies of this host. Send one bearer token.',
    operator: 'Check whether a proxy or sign-in gateway in front adds large headers or cookies.',
  },
  caller_gone: {
    means:
      'The client closed the connection before the response was complete. The client does not receive this response; it appears only in the log.',
    caller: 'Use a longer timeout: an embed token can take up to 12 seconds if Power BI is slow.',
    operator:
      'If there are many, set the read timeout of the proxy to at least 15 seconds, and check `GET /api/health`.',
  },
  conflict: {
    means:
      'Another request made the same change at the same time, or a referenced resource no longer exists.',
    caller: 'Reload the resource and retry if the change is still required.',
  },
  idempotency_in_flight: {
    means: 'The first request with this `Idempotency-Key` is still in progress.',
    caller: 'Send the same request again after `Retry-After` to receive the response of the first one.',
  },
  idempotency_key_reused: {
    means:
      'This `Idempotency-Key` was used for a request with a different path or body in the last 24 hours.',
    caller: 'Generate a new key for each operation. Reuse a key only to repeat the same request.',
  },
  rate_limited: {
    means:
      'Too many requests or failed attempts. `Retry-After` contains the seconds to wait. Five wrong passwords for one account from one address block that pair for 15 minutes. One address can fail to sign in 30 times and sign in 600 times in 5 minutes. An invited address receives at most one email per minute.',
    caller:
      'Wait for `Retry-After` seconds. Reuse the access token for its one-hour lifetime instead of signing in for each call. If you forgot the password, reset it by email; this also unblocks the account.',
    operator:
      'If all users are limited at the same time, their requests appear to come from one address: set `TRUST_PROXY` to the address of your proxy. For the limits, see [the configuration](configuration.md#limits).',
  },
  too_many_streams: {
    means: 'You have 5 open streams of events on this replica, which is the maximum.',
    caller: 'Close a stream that you no longer read, or let several consumers share one stream.',
  },
  events_expired: {
    means:
      'Events are kept for 30 to 61 days. The position in `after` or `Last-Event-ID` is older, so events after it are lost to this reader.',
    caller:
      'Read the current state from the lists that you need, then continue without `after`, from the oldest stored event.',
    operator: 'Let readers of events run at least once a month.',
  },
} as const satisfies Topic;
