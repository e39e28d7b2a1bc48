import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import { databaseProblem } from './database-problem.js';
import { DenialRecorder } from './denial-recorder.js';
import { allowedMethods } from '../http/allowed-methods.js';
import { emit } from '../telemetry/telemetry-events.js';
import { Problem, problemBody } from './problem.js';
import { requestContext, requestId } from '../http/request-context.js';

/** Express errors carry a `status`; this maps those that a client causes. */
function fromFramework(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status } = error as { status?: number };
  if (error instanceof URIError || status === 400) {
    return new Problem('malformed_request', 'The request could not be read.', { cause: error });
  }
  return undefined;
}

function fromNest(error: unknown, request: Request): Problem | undefined {
  if (!(error instanceof HttpException)) return undefined;
  // Nest wraps the errors of Express.
  const framework = fromFramework(error.cause);
  if (framework !== undefined) return framework;
  switch (error.getStatus()) {
    case 401:
      return new Problem('authentication_required', 'Send a valid access token as a bearer token.');
    case 403:
      return new Problem('access_denied', 'Your role does not allow this.');
    case 404:
      return allowedMethods(request).length > 0
        ? new Problem('method_not_allowed', `This route supports ${allowedMethods(request).join(', ')}.`)
        : new Problem('route_not_found', 'This path does not exist.');
    case 400:
      return new Problem('malformed_request', 'The request could not be read.', { cause: error });
    default:
      return undefined;
  }
}

/** Converts every exception to a problem response. An unknown error becomes a 500 without details. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Problem');

  constructor(private readonly denialRecorder: DenialRecorder) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    // The deadline has already written a response: the late result is discarded.
    if (response.writableEnded) return;
    const problem = this.problemOf(error, request);
    this.log(problem, request);
    await this.record(problem, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    this.write(problem, request, response);
  }

  protected write(problem: Problem, request: Request, response: Response): void {
    writeProblem(problem, request, response);
  }

  private problemOf(error: unknown, request: Request): Problem {
    if (error instanceof Problem) return error;
    return (
      databaseProblem(error) ??
      fromNest(error, request) ??
      fromFramework(error) ??
      new Problem('internal_error', 'The error is logged under the request id.', { cause: error })
    );
  }

  /** A filter that rejects would end the process. */
  private async record(problem: Problem, request: Request): Promise<void> {
    try {
      await this.denialRecorder.recordProblem(problem, request);
    } catch (error) {
      this.logger.error({ msg: 'denial not recorded', err: error });
    }
  }

  private log(problem: Problem, { method, path }: Request): void {
    // A probe that polls every second while the replica is not ready would fill the log.
    if (requestContext()?.isProbe === true && problem.entry.status === 503) return;
    const { level } = problem.entry;
    // Errors about a value or malformed JSON may quote it, and it may be a password in the wrong field.
    const quotes = problem.errors !== undefined || problem.code === 'malformed_json';
    const what = quotes ? { msg: problem.code } : { msg: problem.message, err: problem.cause };
    const line = { ...what, request_id: requestId(), method, path };
    const log = { debug: 'debug', info: 'log', warn: 'warn', error: 'error' } as const;
    this.logger[log[level]](line);
  }
}

/** Media type and body of the problem responses below a path. */
export interface ProblemFormat {
  mediaType: string;
  body: (problem: Problem, request: Request) => object;
}

const problemJson: ProblemFormat = {
  mediaType: 'application/problem+json',
  body: (problem, { path }) => problemBody(problem, path, requestId()),
};

/** Middleware: problems of the paths below have this format, those of later middleware and of unknown paths, too. */
export const formatProblems =
  (format: ProblemFormat): RequestHandler =>
  (_request, response, next) => {
    response.locals['problemFormat'] = format;
    next();
  };

export function writeProblem(problem: Problem, request: Request, response: Response): void {
  const { status } = problem.entry;
  if (requestContext()?.isProbe !== true) emit('problem_sent', { code: problem.code });
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="vitrine"');
  if (status === 405) response.setHeader('Allow', allowedMethods(request).join(', '));
  const { retryAfter = status === 429 || status === 503 ? 5 : undefined } = problem;
  if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
  const { problemFormat = problemJson } = response.locals as { problemFormat?: ProblemFormat };
  response
    .status(status)
    .set('Cache-Control', 'no-store')
    .type(problemFormat.mediaType)
    .send(JSON.stringify(problemFormat.body(problem, request)));
}
