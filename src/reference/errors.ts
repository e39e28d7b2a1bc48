import { problemCatalogue, type ProblemCode } from '../core/problems/problem-catalogue.js';
import { access } from './help/access.js';
import type { Help, Topic } from './help/help.js';
import { outages } from './help/outages.js';
import { people } from './help/people.js';
import { powerBi } from './help/power-bi.js';
import { requests } from './help/requests.js';
import { signIn } from './help/sign-in.js';
import { generatedFrom } from './markdown.js';

/** Exactly one entry for each code: a new code without an explanation does not compile. */
export const errorHelp: Record<ProblemCode, Help> = {
  ...requests,
  ...signIn,
  ...access,
  ...people,
  ...powerBi,
  ...outages,
};

const introduction = `# Errors, by their code

Every error is a problem in the sense of RFC 9457, \`application/problem+json\`:

\`\`\`json
{
  "type": "urn:vitrine:problem:report_not_found",
  "title": "There is no such report",
  "status": 404,
  "detail": "You have no report of this id.",
  "instance": "/api/reports/0195e5a0-0000-7000-8000-000000000000",
  "code": "report_not_found",
  "request_id": "0195e5a0-1111-7000-8000-000000000000"
}
\`\`\`

Branch on \`code\`: the list on this page is closed, titles and details may change. \`errors\` is there where single values are
wrong. 429 and 503 carry \`Retry-After\` in seconds. \`request_id\` is also the header \`X-Request-Id\` of every answer; it leads to
the log line, and admins find what came of the request with \`GET /api/audit-events?request_id=…\`.

You see something go wrong and have no code? [Troubleshooting](troubleshooting.md) begins with what you see.`;

const topics: [title: string, topic: Topic][] = [
  ['The request', requests],
  ['Signing in', signIn],
  ['Rights, and what is not there', access],
  ['People, invitations, service accounts', people],
  ['Power BI', powerBi],
  ['Outages', outages],
];

function entry(code: ProblemCode): string {
  const { status, title } = problemCatalogue[code];
  const { means, caller, operator } = errorHelp[code];
  const todo = [`- **You**: ${caller}`];
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
