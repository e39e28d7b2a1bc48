/** Headers that pages of other origins (`CORS_ORIGINS`) can read. Browsers expose only a few without this list. */
export const exposedHeaders = [
  'Content-Disposition',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Total-Count',
  'X-Request-Id',
] as const;
