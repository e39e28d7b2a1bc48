import type { Topic } from './help.js';

/** Codes for errors in the request itself. */
export const requests = {
  malformed_json: {
    means: 'A quote or a comma is missing, a shell ate the quotes, or the body is not UTF-8.',
    caller:
      'Send valid JSON. In a shell put the body into single quotes: `-d \'{"email":"ada@example.com"}\'`.',
  },
  malformed_request: {
    means:
      'The path has a bad `%` escape, the body ended before its announced length, the header `Host` is missing, or `Host`, `Authorization` or `Content-Type` was sent more than once.',
    caller: 'Mend the URL, or the client that builds the request.',
  },
  request_timeout: {
    means: 'Headers or body were sent too slowly: `HEADERS_TIMEOUT_SECONDS`, `REQUEST_TIMEOUT_SECONDS`.',
    caller: 'Send the request at once, over a connection that carries it.',
  },
  uri_too_long: {
    means: 'Path and query have more than 4096 characters.',
    caller: 'Leave out what is not needed. A cursor is taken from `Link` as it is.',
  },
  invalid_request: {
    means:
      '`errors` names each value that is not acceptable: a JSON pointer into the body (`/workspaces/0/role`), a query parameter (`?limit`) or a part of the path. A name that does not exist counts too, so a misspelt parameter is never ignored.',
    caller: 'Correct what `errors` names. `/docs` and `openapi.json` tell what each route takes.',
  },
  unsupported_grant_type: {
    means: '`grant_type` of `POST /api/auth/token` is none of those that the detail lists.',
    caller: 'Use one of the list; for e-mail and password send no `grant_type` at all.',
  },
  route_not_found: {
    means:
      'Nothing is served under this path. Often the prefix `/api` is missing; `/docs` and `/openapi.json` are there only where they are switched on.',
    caller: 'Check the path against `openapi.json`.',
    operator: 'Set `DOCS_ENABLED=true` to serve `/docs`. Check that the proxy passes the path on unchanged.',
  },
  method_not_allowed: {
    means: 'The path exists; the header `Allow` lists its methods.',
    caller: 'Use one of `Allow`. Changes are `PATCH` (a part) or `PUT` (the whole).',
  },
  payload_too_large: {
    means:
      'A body has 100 kB at most, below `/api/auth/` and `/login/` 16 kB. The connection is closed with this response.',
    caller: 'Send less at once: for example, invite with at most 100 workspaces.',
  },
  unsupported_media_type: {
    means: 'There is a body that is not announced as JSON, is compressed, or is not UTF-8.',
    caller:
      "Send `Content-Type: application/json`, uncompressed. With curl: `-H 'Content-Type: application/json'`.",
  },
  expectation_failed: {
    means: 'The header `Expect` asks for something else than `100-continue`.',
    caller: 'Leave the header out.',
  },
  header_too_large: {
    means: 'Mostly cookies that piled up, or a token that is not ours.',
    caller: 'Clear the cookies of this host. Send one bearer token.',
    operator: 'Look whether a proxy or a login in front adds large headers or cookies.',
  },
  caller_gone: {
    means:
      'The client closed the connection before the answer was there. Nobody receives this answer: it stands in the log, where it explains a line without a result.',
    caller: 'Wait longer: an embed token may take up to 12 seconds when Power BI is slow.',
    operator:
      'Where there are many: give the proxy a read timeout of at least 15 seconds, and look at `GET /api/health`.',
  },
  conflict: {
    means:
      'Two changes met: somebody else just made the same one, or what this one refers to has gone meanwhile.',
    caller: 'Read the thing again, and decide again.',
  },
  idempotency_in_flight: {
    means: 'The first request with this `Idempotency-Key` has no answer yet.',
    caller: 'Send the same request again after `Retry-After`: it then gets the first one’s answer.',
  },
  idempotency_key_reused: {
    means: 'This `Idempotency-Key` was used for a request with another path or body within 24 hours.',
    caller: 'Make a new key for each new intention; keep it only for repeats of the very same request.',
  },
  rate_limited: {
    means:
      'Too many of a kind, or too many wrong guesses. `Retry-After` says for how long to stop. Five wrong passwords for one account from one address close that pair for 15 minutes; one address may sign in 30 times in 5 minutes; an invited address gets one mail a minute.',
    caller:
      'Wait for `Retry-After` seconds, then go on. Keep the access token for its hour instead of signing in for each call. Who forgot the password resets it by mail, which also opens the account again.',
    operator:
      'When everybody is limited at once, all people seem to come from one address: set `TRUST_PROXY` to the address of your proxy. The numbers are in [the configuration](configuration.md#limits).',
  },
} as const satisfies Topic;
