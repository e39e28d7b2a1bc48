import { t } from 'i18next';
import { msg } from '../i18n/index.js';
import { translatedDetail } from './problem.js';

/** Sentences of the service's checks. Among those that begin alike, the longer ones are first. */
const sentences = [
  msg('The user is an administrator.'),
  msg('The user has a grant on this report or its workspace.'),
  msg('The grant of the user on this report or its workspace has expired.'),
  msg('The user has no grant on this report or its workspace.'),
  msg('The user is disabled.'),
  msg('The report no longer exists in Power BI.'),
  msg('No user is specified.'),
  msg('Embedding is blocked. An administrator can remove the block.'),
  msg('Embedding is not blocked.'),
  msg('The embed URL is on a host of the Power BI cloud.'),
  msg('The embed URL is not on a host of the Power BI cloud.'),
  msg('The dataset is in the catalogue.'),
  msg('The report has no dataset of its own.'),
  msg('The dataset is not in the catalogue: the service principal may lack access to it.'),
  msg('The dataset requires an effective identity. Specify a user.'),
  msg('No effective identity is sent: the dataset is not known to require one.'),
  msg('The effective identity is {{username}}, in the roles {{roles}}, with custom data.'),
  msg('The effective identity is {{username}}, in the role {{role}}, with custom data.'),
  msg('The effective identity is {{username}}, in the roles {{roles}}.'),
  msg('The effective identity is {{username}}, in the role {{role}}.'),
  msg('The effective identity is {{username}}, with custom data.'),
  msg('The effective identity is {{username}}.'),
  msg('The identity policy requires an email address, which a service account does not have.'),
  msg(
    'The identity policy of this dataset differs by user and names no identity for service accounts. Request the token with the access token of the user, or ask an administrator for `service_accounts` in the policy.',
  ),
  msg('The identity policy requires the user attribute "{{attribute}}". An administrator can set it.'),
  msg('The dataset of this report requires an identity policy. An administrator can set one.'),
  msg('The identity policy of this dataset requires at least one role. An administrator can add it.'),
  msg('Not checked.'),
  msg('Power BI is reachable.'),
  msg('The workspace no longer exists in Power BI.'),
  msg('The service principal has a role in the workspace.'),
  msg('The report exists in Power BI.'),
  msg('The capacity of the workspace is active.'),
  msg('The capacity of the workspace is paused. An administrator must resume it.'),
  msg('The workspace is on shared capacity, which allows only a few embed tokens for trials.'),
  msg('The service principal cannot read the state of the capacity of the workspace.'),
  msg('Not requested: the effective identity is unknown.'),
  msg('Power BI issued a test token.'),
  msg('The tenant does not allow service principals. A Power BI administrator must allow them.'),
  msg('PostgreSQL does not respond.'),
  msg('PostgreSQL is read-only: changes and sign-ins fail.'),
  msg('The job queue is not running.'),
  msg('No background job was fetched for {{seconds}} s: the log names the cause.'),
  msg('SMTP_URL is not set: administrators share links themselves.'),
  msg('The SMTP server does not accept mail: {{message}}'),
  msg('The SMTP server does not respond.'),
  msg('The circuit breaker for Power BI is open'),
  msg('Power BI is throttling requests for {{seconds}} s'),
  msg('The Entra token cannot be renewed: {{message}}'),
  msg('The certificate has expired'),
  msg('The client secret has expired'),
  msg('The certificate expires in less than a day'),
  msg('The client secret expires in less than a day'),
  msg('The certificate expires in 1 day'),
  msg('The client secret expires in 1 day'),
  msg('The certificate expires in {{days}} days'),
  msg('The client secret expires in {{days}} days'),
  msg('Power BI is not reachable.'),
  msg('No sync has succeeded yet.'),
  msg('No email has been sent yet.'),
  msg('The last email was not delivered: {{message}}'),
  msg('The last email has not been sent yet.'),
  msg('No user has been invited yet.'),
  msg('1 dataset requires an identity and has no policy: its reports cannot be opened.'),
  msg('{{number}} datasets require an identity and have no policy: their reports cannot be opened.'),
  msg('Product name, colours and logos are the defaults.'),
  msg('The replica that ran the sync stopped.'),
  msg('An unexpected error occurred. See the log of the service.'),
];

/** Values that are counts. All others are text, also if they consist of digits, such as the name of a role. */
const counts = new Set(['number', 'days', 'seconds']);

/** Matches a value, and names it. */
const groupOf = (_: string, name: string): string => `(?<${name}>${counts.has(name) ? '[0-9]+' : '.+'})`;

/** Matches a sentence, with a group for each of its values. */
const patternOf = (sentence: string): RegExp =>
  new RegExp(
    `^${sentence.replaceAll(/[.?()]/g, String.raw`\$&`).replaceAll(/\{\{(\w+)\}\}/g, groupOf)}$`,
    's',
  );

const patterns = sentences.map((sentence): [string, RegExp] => [sentence, patternOf(sentence)]);

/** Counts as numbers, so that they are written as in the language. */
const valuesOf = (groups: Record<string, string>): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(groups).map(([name, value]) => [name, counts.has(name) ? Number(value) : value]),
  );

/** A sentence of the service in the portal's language; one that is not known stays English. */
export function translatedSentence(text: string): string {
  for (const [sentence, pattern] of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return t(sentence, valuesOf(match.groups ?? {}));
  }
  return translatedDetail(text) ?? text;
}
