import { problemCatalogue, type ProblemCode } from '../core/problems/problem-catalogue.js';
import { access } from './help/access.js';
import type { Help, Topic } from './help/help.js';
import { outages } from './help/outages.js';
import { people } from './help/people.js';
import { powerBi } from './help/power-bi.js';
import { requests } from './help/requests.js';
import { signIn } from './help/sign-in.js';
import { webhooks } from './help/webhooks.js';
import { generatedFrom } from './markdown.js';

/** Exactly one entry for each code: a new code without an explanation does not compile. */
export const errorHelp: Record<ProblemCode, Help> = {
  ...requests,
  ...signIn,
  ...access,
  ...people,
  ...powerBi,
  ...webhooks,
  ...outages,
};

const introduction = `# Errors by code

Every error response is a problem document (RFC 9457, \`application/problem+json\`):

\`\`\`json
{
  "type": "urn:vitrine:problem:report_not_found",
  "title": "Report not found, or you don't have access",
  "status": 404,
  "detail": "No report with this id is available to you.",
  "instance": "/api/reports/0195e5a0-0000-7000-8000-000000000000",
  "code": "report_not_found",
  "request_id": "0195e5a0-1111-7000-8000-000000000000"
}
\`\`\`

Branch on \`code\`: this page lists every code; titles and details may change. \`errors\` is present if single values are
invalid. 429 and 503 responses have the header \`Retry-After\` in seconds. \`request_id\` equals the header \`X-Request-Id\` of every
response and identifies the log line; admins find the events of the request with \`GET /api/audit-events?request_id=…\`.

If you have a symptom but no code, see [troubleshooting](troubleshooting.md).`;

const topics: [title: string, topic: Topic][] = [
  ['Requests', requests],
  ['Signing in', signIn],
  ['Permissions and missing resources', access],
  ['Users, invitations and service accounts', people],
  ['Webhooks', webhooks],
  ['Power BI', powerBi],
  ['Outages', outages],
];

function entry(code: ProblemCode): string {
  const { status, title } = problemCatalogue[code];
  const { means, caller, operator } = errorHelp[code];
  const todo = [`- **Caller**: ${caller}`];
  if (operator !== undefined) todo.push(`- **Admin or operator**: ${operator}`);
  return [`### ${code}`, `**${status}: ${title}.**`, means, todo.join('\n')].join('\n\n');
}

const byStatus = (a: ProblemCode, b: ProblemCode): number =>
  problemCatalogue[a].status - problemCatalogue[b].status;

const section = ([title, topic]: (typeof topics)[number]): string =>
  [`## ${title}`, ...(Object.keys(topic) as ProblemCode[]).toSorted(byStatus).map(entry)].join('\n\n');

/** Renders `docs/errors.md`. */
export const errorReference = (): string =>
  `${[generatedFrom('`src/reference/help/`'), introduction, ...topics.map(section)].join('\n\n')}\n`;
