import { describe, expect, test } from '@jest/globals';
import { errorFacts, retryAfterSeconds } from './error-body.js';

const now = new Date('2026-11-21T08:00:00Z');

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['17', 17],
    [' 5 ', 5],
    ['Sat, 21 Nov 2026 08:00:42 GMT', 42],
    ['Sat, 21 Nov 2026 07:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is read as %j', (value, seconds) => {
    expect(retryAfterSeconds(value, now)).toBe(seconds);
  });
});

describe('error bodies', () => {
  test.each([
    ['{"error":{"code":"InvalidRequest","message":"no"}}', 'InvalidRequest', 'no'],
    [
      '{"error":{"code":"PowerBINotAuthorizedException","pbi.error":{}}}',
      'PowerBINotAuthorizedException',
      expect.any(String),
    ],
    [
      '{"Message":"API is not accessible for application"}',
      undefined,
      'API is not accessible for application',
    ],
    [
      '{"error":"invalid_client","error_description":"AADSTS7000215: no"}',
      'invalid_client',
      'AADSTS7000215: no',
    ],
    ['plain text', undefined, 'plain text'],
    ['', undefined, undefined],
    ['null', undefined, 'null'],
    ['[1]', undefined, '[1]'],
  ])('%s', (body, upstreamCode, upstreamMessage) => {
    expect(errorFacts({}, body, now)).toMatchObject({ upstreamCode, upstreamMessage });
  });

  test('the error code comes from the header when the body has none', () => {
    const headers = { 'x-powerbi-error-info': 'TokenExpired', requestid: 'abc' };
    expect(errorFacts(headers, '', now)).toMatchObject({
      upstreamCode: 'TokenExpired',
      upstreamRequestId: 'abc',
    });
  });

  test('a long body is truncated for the log', () => {
    expect(errorFacts({}, 'x'.repeat(5000), now).upstreamMessage).toHaveLength(500);
  });
});
