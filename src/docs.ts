import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Application, Request, Response } from 'express';
import { Problem } from './core/problems/problem.js';

/** The generated document: of the build for the built service, the committed one for the sources. */
export const documentFile = new URL('../openapi.json', import.meta.url);

/** The groups are an overview: the page draws only the operations in view. */
const initializer = `SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#swagger-ui',
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
});`;

/** The folder of Swagger UI, or null in an installation without the development packages. */
function swaggerUi(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  } catch {
    return null;
  }
}

/** Serves `/openapi.json` for programs and, where the development packages are installed, `/docs` for developers. */
export function serveDocs(app: NestExpressApplication): void {
  const document = readFileSync(documentFile);
  const express: Application = app.getHttpAdapter().getInstance();
  express.get('/openapi.json', (_request, response) => {
    response.type('json').send(document);
  });
  const folder = swaggerUi();
  if (folder === null) {
    app.use('/docs', () => {
      throw new Problem(
        'route_not_found',
        'This page requires the development packages. The document is at /openapi.json.',
      );
    });
    return;
  }
  app.use('/docs', (_request: Request, response: Response, next: () => void) => {
    response.removeHeader('Content-Security-Policy');
    next();
  });
  app.use('/docs/swagger-initializer.js', (_request: Request, response: Response) => {
    response.type('js').send(initializer);
  });
  app.useStaticAssets(folder, { prefix: '/docs' });
}
