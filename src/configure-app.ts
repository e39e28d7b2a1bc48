import type { NestApplicationOptions } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, NextFunction, Request, Response } from 'express';
import { ApiRateLimitsService } from './platform/rate-limit/api-rate-limits.service.js';
import { binaryBody, hasBody, jsonBody } from './core/http/json-body.js';
import { imageKinds } from './platform/branding/default-branding.js';
import { MAX_IMAGE_BYTES } from './platform/branding/image-file.js';
import { pageEtag } from './core/lists/pagination.js';
import { ServiceLogger } from './core/telemetry/logging.js';
import { exposedHeaders } from './core/http/exposed-headers.js';
import { Config } from './core/config/config.js';
import { serveDocs } from './docs.js';
import {
  installRequestPipeline,
  refuseWhileStarting,
  wellFormedQuery,
} from './core/http/request-pipeline.js';
import { limitConcurrency } from './core/http/concurrency-limit.js';
import { enforceRequestLimits } from './core/http/request-limits.js';
import { formatProblems } from './core/problems/problem.filter.js';
import { scimErrorFormat } from './accounts/scim/scim-error-format.js';

type BodyEtag = (body: Buffer | string, encoding?: BufferEncoding) => string;

/** Body limits in bytes; sign-in bodies are small. */
const MAX_BODY = 102_400;
const MAX_SIGN_IN_BODY = 16_384;
const MAX_USAGE_BODY = 65_536;
/** A group with all its members, such as 20,000. */
const MAX_SCIM_BODY = 2_097_152;

/**
 * Options shared by the service, its tests and the OpenAPI generator. Literal paths take precedence over parameters
 * and wildcards, in whichever order modules and routes are registered.
 */
export const applicationOptions = {
  bodyParser: false,
  bufferLogs: true,
  routeResolutionStrategy: 'specificity',
  routeConflictPolicy: { duplicate: 'error' },
} as const satisfies NestApplicationOptions;

/** As the router matches: a path in different letter case has the same limit. */
const under = (...paths: string[]): RegExp => new RegExp(`^(?:${paths.join('|')})(?:/|$)`, 'i');

/** The first whose path matches reads the body. */
const bodyParsers = [
  { paths: under('/scim'), parse: jsonBody(MAX_SCIM_BODY, ['application/json', 'application/scim+json']) },
  { paths: under('/api/auth', '/login'), parse: jsonBody(MAX_SIGN_IN_BODY) },
  { paths: under('/api/usage'), parse: jsonBody(MAX_USAGE_BODY) },
  {
    paths: under(...imageKinds.map((kind) => `/api/settings/branding/${kind}`)),
    parse: binaryBody(MAX_IMAGE_BYTES),
  },
  { paths: /^/, parse: jsonBody(MAX_BODY) },
];

function readBody(request: Request, response: Response, next: NextFunction): unknown {
  const parser = hasBody(request) ? bodyParsers.find(({ paths }) => paths.test(request.path)) : undefined;
  return parser === undefined ? next() : parser.parse(request, response, next);
}

/** Installs the HTTP middleware before the routes; shared by the service and its tests. */
export function configureApp(app: NestExpressApplication): void {
  const { http, warnings } = app.get(Config);
  const logger = app.get(ServiceLogger);
  app.useLogger(logger);
  for (const warning of warnings) logger.warn(warning);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  const express: Express = app.getHttpAdapter().getInstance();
  const bodyEtag = express.get('etag fn') as BodyEtag;
  app.set('etag', (...body: Parameters<BodyEtag>) => pageEtag(bodyEtag(...body)));
  app.set('trust proxy', http.trustProxy.length > 0 ? http.trustProxy : false);
  installRequestPipeline(app);
  app.use('/scim', formatProblems(scimErrorFormat));
  if (http.corsOrigins.length > 0) {
    app.enableCors({ origin: http.corsOrigins, exposedHeaders: [...exposedHeaders] });
  }
  refuseWhileStarting(app);
  app.use(enforceRequestLimits);
  const rateLimits = app.get(ApiRateLimitsService);
  app.use(
    ['/api', '/scim', '/login/invitation/preview', '/login/password-reset/preview', '/exports'],
    async (request: Request, response: Response, next: NextFunction) => {
      await rateLimits.consumeAddress(request, response);
      next();
    },
  );
  app.use(wellFormedQuery);
  app.use(readBody);
  limitConcurrency(app);
  if (http.docsEnabled) serveDocs(app);
}
