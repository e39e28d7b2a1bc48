import type { Config } from '../config/config.js';

const YEAR_SECONDS = 31_536_000;

/**
 * The security headers of every response, as helmet sets them. Data instead of middleware, because responses that are
 * written before Express handles the request need them too. Pages replace the Content-Security-Policy with their own.
 */
export const securityHeaders = ({
  hstsIncludesSubdomains,
}: Pick<Config['http'], 'hstsIncludesSubdomains'>): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  // Other operators may serve subdomains of the host without https.
  'Strict-Transport-Security': `max-age=${YEAR_SECONDS}${hstsIncludesSubdomains ? '; includeSubDomains' : ''}`,
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
});
