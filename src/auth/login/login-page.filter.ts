import { Catch } from '@nestjs/common';
import { Eta } from 'eta';
import type { Request, Response } from 'express';
import { Denials } from '../../common/denials.js';
import type { Problem } from '../../common/problem.js';
import { ProblemFilter } from '../../common/problem.filter.js';
import { requestId } from '../../common/request-context.js';
import { Config } from '../../config/config.js';

const eta = new Eta({ autoEscape: true, autoTrim: false });

const page = eta.compile(`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title><%= it.title %></title></head>
  <body>
    <main>
      <h1><%= it.title %></h1>
      <p role="alert"><%= it.detail %></p>
      <p><a href="<%= it.home %>">Back to the portal</a></p>
      <p><small><%= it.code %> · <%= it.requestId %></small></p>
    </main>
  </body>
</html>
`);

/** Sign-in pages are read by people: the same problems, as a page. */
@Catch()
export class LoginPageFilter extends ProblemFilter {
  constructor(
    private readonly config: Config,
    denials: Denials,
  ) {
    super(denials);
  }

  protected override write(problem: Problem, _request: Request, response: Response): void {
    const { status, title } = problem.entry;
    if (status === 429 || status === 503) response.set('Retry-After', String(problem.retryAfter ?? 5));
    const home = this.config.oidc?.returnUrls[0] ?? this.config.http.publicUrl;
    const content = { title, detail: problem.detail, code: problem.code, requestId: requestId(), home };
    response.status(status).set('Cache-Control', 'no-store').type('html').send(eta.render(page, content));
  }
}
