import { readFileSync } from 'node:fs';
import { changeLanguage, init } from 'i18next';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ProblemError, type ProblemCode } from './problem.js';
import { textOfStored, textsOf } from './problem-texts.js';

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

/** The codes of the OpenAPI document. */
const { components } = read('../../../../openapi.json') as {
  components: { schemas: { ProblemDto: { properties: { code: { enum: ProblemCode[] } } } } };
};
const codes: ProblemCode[] = [
  ...components.schemas.ProblemDto.properties.code.enum,
  'unreachable',
  'unexpected_response',
];

/** Responses to other clients, to calls that the portal does not make, or to defects. */
const neverShown: ProblemCode[] = [
  'caller_gone',
  'event_not_retained',
  'events_expired',
  'expectation_failed',
  'header_too_large',
  'idempotency_in_flight',
  'idempotency_key_reused',
  'invalid_subject_token',
  'malformed_json',
  'malformed_request',
  'method_not_allowed',
  'not_acceptable',
  'route_not_found',
  'scim_not_supported',
  'scim_resource_not_found',
  'too_many_streams',
  'unsupported_grant_type',
  'unsupported_media_type',
  'uri_too_long',
  'usage_people_not_stored',
  'workspace_not_stored',
];
/** The title, the translated detail or the error beside the field is clear. */
const titleOnly: ProblemCode[] = [
  'identity_taken',
  'invalid_request',
  'password_rejected',
  'payload_too_large',
  'sign_in_refused',
  'user_not_disabled',
  'webhook_disabled',
  'wrong_password',
];

beforeAll(() =>
  init({
    lng: 'de',
    resources: { de: { translation: read('../i18n/de/problems.json') as Record<string, string> } },
    keySeparator: false,
    nsSeparator: false,
  }),
);
afterAll(() => changeLanguage('en'));

const DETAIL = 'A detail in English.';

test('every problem has a German text, or its title alone is listed as sufficient', () => {
  const problems = codes.map((code) => ({ code, ...textsOf(new ProblemError(code, 409, DETAIL)) }));
  expect(problems.filter(({ title, text }) => `${title} ${text}`.includes(DETAIL))).toEqual([]);
  const withoutText = problems.filter(({ text }) => text === '').map(({ code }) => code);
  expect(withoutText.toSorted()).toEqual([...neverShown, ...titleOnly].toSorted());
});

describe('a failure of Power BI', () => {
  const problem = new ProblemError(
    'power_bi_access_denied',
    409,
    'Entra rejected the credentials of the service.',
  );

  test('has its own cause for admins', () => {
    expect(textsOf(problem, { isAdmin: true }).text).toBe(
      'Entra hat die Anmeldeinformationen des Dienstes abgelehnt.',
    );
  });

  test('claims no cause to others', () => {
    expect(textsOf(problem).text).toBe('Wenden Sie sich an einen Administrator.');
  });

  test('falls back to the advice for a detail without a translation', () => {
    expect(textsOf(new ProblemError('power_bi_access_denied', 409, DETAIL), { isAdmin: true }).text).toBe(
      'Wenden Sie sich an einen Administrator.',
    );
  });

  test('has its cause where it was stored, too', () => {
    expect(textOfStored({ code: problem.code, detail: problem.message })).toBe(
      'Entra hat die Anmeldeinformationen des Dienstes abgelehnt.',
    );
  });
});

test('a sign-in whose identity is taken refers to an email only if one was sent', () => {
  const textFor = (detail: string) => textsOf(new ProblemError('identity_taken', 409, detail)).text;
  expect(textFor('Unlink the identity from its current account first.')).toBe(
    'Die Einladung kann dem Konto, mit dem Sie sich angemeldet haben, nicht hinzugefügt werden. Wenden Sie sich an einen Administrator.',
  );
  const mailed =
    'Your account has another address. Open the link in the email that was just sent to the invited address, and sign in with this account to add the invitation to it.';
  expect(textFor(mailed)).toContain('Öffnen Sie den Link in der E-Mail');
});

test('the German text of an export that failed contains no detail of the service', () => {
  expect(textOfStored({ code: 'power_bi_label_refused', detail: DETAIL })).toBe(
    'Die Vertraulichkeitsbezeichnung lässt den Export nicht zu. Power BI exportiert keine Berichte mit Vertraulichkeitsbezeichnung.',
  );
});

test.each([
  ['/to', 'to must be later than from', 'Das Ende muss nach dem Beginn liegen.'],
  ['/url', 'url must have a host whose name resolves', 'Der Hostname kann nicht aufgelöst werden.'],
  [
    '/url',
    'url must use port 443 or 8443, unless WEBHOOK_ALLOWED_HOSTS contains the host',
    'Der Port muss 443 oder 8443 sein, sofern WEBHOOK_ALLOWED_HOSTS den Host nicht enthält.',
  ],
  ['/expires_at', 'expires_at must be in the future', 'Das Datum muss in der Zukunft liegen.'],
])('the error of %s, “%s”, is German', (pointer, detail, text) => {
  const problem = { errors: [{ pointer, detail }] };
  expect(new ProblemError('invalid_request', 400, detail, problem).of(pointer.slice(1))).toBe(text);
});

test('English errors beside a field do not name it as the API does', () => {
  const english = Object.values(read('../i18n/en.json') as Record<string, string>);
  expect(english.filter((text) => /\b[a-z]+_[a-z]+\b/.test(text))).toEqual([]);
});

test('the German error of a field contains no detail of the service', () => {
  const problem = { errors: [{ pointer: '/primary_color', detail: DETAIL }] };
  expect(new ProblemError('invalid_request', 400, DETAIL, problem).of('primary_color')).toBe(
    'Dieser Wert wird nicht akzeptiert.',
  );
});
