import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '#openapi';
import { ADMIN_EXTENSION } from './core/http/access.js';
import { ProblemDto } from './core/problems/problem.dto.js';
import { callersOf } from './openapi-callers.js';
import {
  commonParameters,
  commonResponses,
  completeResponses,
  type Operation,
  responseHeaders,
} from './openapi-responses.js';
import { eventWebhooks } from './reference/event-webhooks.js';

type Node = Record<string, unknown>;

/** Published operation ids. Generated clients use these names, so they stay when a controller or a method is renamed. */
const publishedIds: Record<string, string> = {
  AuditTrail_list: 'Audit_list',
  PasswordChange_change: 'OwnPassword_change',
  UserSessions_update: 'Accounts_update',
  UserSessions_listSessions: 'Accounts_sessions',
  UserSessions_endSessions: 'Accounts_endSessions',
  PersonalExport_erase: 'Accounts_erase',
  WorkspaceGrants_findCandidates: 'Candidates_find',
  Exports_create: 'ReportExports_create',
  Exports_options: 'ReportExports_options',
  Invitations_invite: 'Invite_invite',
  Embed_check: 'EmbedCheck_check',
  Reports_listViewers: 'Viewers_list',
  IssuedTokens_list: 'EmbedGrants_list',
  IssuedTokens_revoke: 'EmbedGrants_revoke',
  IssuedTokens_listRevocations: 'EmbedGrants_listRevocations',
  IssuedTokens_lift: 'EmbedGrants_lift',
};

/** One tag for each first segment of a path below `/api`, and one for `/login`. */
const tags: Record<string, string> = {
  access: 'Explanations of who has access to a report.',
  'access-requests': 'Requests for access to reports and workspaces.',
  'audit-events': 'The audit trail.',
  auth: 'Tokens and your own sessions.',
  datasets: 'Datasets and their identity policies.',
  'embed-grants': 'Issued embed tokens and blocks of embedding.',
  events: 'Events of the platform, as a list and as a stream.',
  exports: 'Exports of reports to files.',
  groups: 'Groups of people, service accounts and other groups.',
  health: 'Health of the service and of its dependencies.',
  invitations: 'Invitations of new users.',
  login: 'What the links of emails are for, before a sign-in.',
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

function tagOf(path: string): string {
  const [first = '', second = ''] = path.split('/').slice(1);
  return first === 'api' ? second : first;
}

function operationId(controller: string, method: string): string {
  const id = `${controller.replace(/Controller$/, '')}_${method}`;
  return publishedIds[id] ?? id;
}

/** The doc comment of a handler, whose first sentence is the summary, and who may call it. */
function describe(operation: Operation, callers: string): void {
  const description = (operation.summary ?? '').replaceAll('\n', ' ');
  operation.summary = /^.+?\.(?= |$)/.exec(description)?.[0] ?? description;
  operation.description = `${description} ${callers}`;
}

/** Ids that other systems give, or whose form depends on another field. */
const foreignIds = new Set([
  'client_id',
  'object_id',
  'pbi_dataset_id',
  'request_id',
  'tenant_id',
  'token_id',
]);
const isOwnId = (name: string): boolean => /(^|_)id$/.test(name) && !foreignIds.has(name);

/** Adds, in place, what the types alone do not express. */
function complete(value: unknown, name = ''): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Node;
  // Several if the value may be null.
  const types = [node.type].flat();
  // All numbers of this API are integers.
  if (node.type === 'number') node.type = 'integer';
  else if (types.includes('number')) node.type = types.map((type) => (type === 'number' ? 'integer' : type));
  if (types.includes('string') && /_(at|as_of|since)$/.test(name)) node.format = 'date-time';
  if (types.includes('string') && isOwnId(name) && node.pattern === undefined) node.format = 'uuid';
  // The compiler's order of union members depends on other files: sorting keeps the document stable.
  if (Array.isArray(node.enum))
    node.enum.sort((a, b) => Number(a === null) - Number(b === null) || (a < b ? -1 : 1));
  // The schema of a parameter has the name of the parameter.
  const nameOf = (key: string): string =>
    key === 'schema' && typeof node.name === 'string' ? node.name : key;
  for (const [key, child] of Object.entries(node)) complete(child, nameOf(key));
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
    for (const [method, operation] of Object.entries(methods) as [string, Operation][]) {
      const { level, text } = callersOf(`${method.toUpperCase()} ${path}`, ADMIN_EXTENSION in operation);
      if (ADMIN_EXTENSION in operation) delete operation[ADMIN_EXTENSION];
      operation.tags = [tagOf(path)];
      if (level === 'anyone') operation.security = [];
      describe(operation, text);
      completeResponses(operation, { method, path, level });
    }
  }
  document.components = {
    ...document.components,
    headers: responseHeaders,
    parameters: commonParameters,
    responses: commonResponses,
  };
  document.webhooks = eventWebhooks();
  complete(document.paths);
  complete(document.components);
  return document;
}
