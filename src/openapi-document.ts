import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ProblemDto } from './core/problems/problem.dto.js';
import { eventWebhooks } from './reference/event-webhooks.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Node = Record<string, unknown>;

const problem = (description: string): Operation['responses'][string] => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDto' } } },
});

/** Published operation ids. Generated clients use these names, so they stay when a controller or a method is renamed. */
const publishedIds: Record<string, string> = {
  AuditTrail_list: 'Audit_list',
  PasswordChange_change: 'OwnPassword_change',
  UserSessions_update: 'Accounts_update',
  UserSessions_listSessions: 'Accounts_sessions',
  UserSessions_endSessions: 'Accounts_endSessions',
  UserErasure_erase: 'Accounts_erase',
  IssuedTokens_list: 'EmbedGrants_list',
  IssuedTokens_revoke: 'EmbedGrants_revoke',
  IssuedTokens_listRevocations: 'EmbedGrants_listRevocations',
  IssuedTokens_lift: 'EmbedGrants_lift',
};

/** One tag for each first segment of a path below `/api`. */
const tags: Record<string, string> = {
  access: 'Explanations of who has access to a report.',
  'access-requests': 'Requests for access to reports and workspaces.',
  'audit-events': 'The audit trail.',
  auth: 'Tokens and your own sessions.',
  datasets: 'Datasets and their identity policies.',
  'embed-grants': 'Issued embed tokens and revocations.',
  events: 'Events of the platform, as a list and as a stream.',
  exports: 'Exports of reports to files.',
  groups: 'Groups of people, service accounts and other groups.',
  health: 'Health of the service and of its dependencies.',
  invitations: 'Invitations of new users.',
  reports: 'Reports, their embed tokens and embed checks.',
  search: 'Search of reports, workspaces and users.',
  'service-accounts': 'Service accounts and their secrets.',
  settings: 'Settings of the organization: branding and the checklist of a new installation.',
  syncs: 'Synchronization of the catalogue with Power BI.',
  usage: 'Usage of reports: views, viewers and opening times.',
  users: 'Users with their grants, sessions and identities.',
  webhooks: 'Webhooks, their deliveries and signing secrets.',
  workspaces: 'Workspaces and their members.',
};

/** Paths that require no access token. */
const openPaths = new Set([
  '/api/auth/token',
  '/api/auth/password-reset/preview',
  '/api/invitations/preview',
]);

function operationId(controller: string, method: string): string {
  const id = `${controller.replace(/Controller$/, '')}_${method}`;
  return publishedIds[id] ?? id;
}

/** Adds the common error responses once instead of on every handler. */
function addProblems({ parameters = [], requestBody, responses }: Operation, isOpen: boolean): void {
  for (const success of Object.values(responses)) {
    if (success !== undefined && 'description' in success) success.description ||= 'Success';
  }
  const takesInput = parameters.length > 0 || requestBody !== undefined;
  const named = parameters.some((parameter) => 'in' in parameter && parameter.in === 'path');
  if (takesInput) responses['400'] = problem('The request is malformed or has invalid values');
  responses['401'] = problem(isOpen ? 'The credentials are not valid' : 'A valid access token is required');
  if (named) responses['404'] = problem('The resource does not exist, or the caller has no access to it');
  responses['503'] = problem('Temporarily unavailable; `Retry-After` contains the seconds until a retry');
  responses.default = problem('Any other problem; `code` identifies it');
}

/** The doc comment of a handler is the description; its first sentence is the summary. */
function describe(operation: Operation): void {
  const description = (operation.summary ?? '').replaceAll('\n', ' ');
  operation.summary = /^.+?\.(?= |$)/.exec(description)?.[0] ?? description;
  operation.description = description;
}

/** Adds, in place, what the types alone do not express. */
function complete(value: unknown, name = ''): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Node;
  // All numbers of this API are integers.
  if (node.type === 'number') node.type = 'integer';
  if (node.type === 'string' && /_(at|as_of|since)$/.test(name)) node.format = 'date-time';
  // The compiler's order of union members depends on other files: sorting keeps the document stable.
  if (Array.isArray(node.enum))
    node.enum.sort((a, b) => Number(a === null) - Number(b === null) || (a < b ? -1 : 1));
  for (const [key, child] of Object.entries(node)) complete(child, key);
}

/** Builds the OpenAPI document. The build extracts types and comments, so tests read it from the built service. */
export function openApiDocument(app: NestExpressApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Vitrine')
    .setDescription(
      'Workspace and Report Analytics Service: Power BI workspaces and reports in your own portal.',
    )
    .setVersion('1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'The service that serves this document')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'bearer')
    .addSecurityRequirements('bearer')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    extraModels: [ProblemDto],
    operationIdFactory: operationId,
  });
  document.info.contact = { name: 'The maintainers of Vitrine' };
  document.tags = Object.entries(tags).map(([name, description]) => ({ name, description }));
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const operation of Object.values(methods) as Operation[]) {
      const isOpen = openPaths.has(path);
      operation.tags = [path.split('/')[2] as string];
      if (isOpen) operation.security = [];
      describe(operation);
      addProblems(operation, isOpen);
    }
  }
  document.webhooks = eventWebhooks();
  complete(document.paths);
  complete(document.components);
  return document;
}
