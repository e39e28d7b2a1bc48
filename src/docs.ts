import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import { openApiDocument } from './openapi-document.js';

/** Serves `/docs` for developers and `/openapi.json` for programs. */
export function serveDocs(app: NestExpressApplication): void {
  app.use('/docs', (_request: unknown, response: { removeHeader(name: string): void }, next: () => void) => {
    response.removeHeader('Content-Security-Policy');
    next();
  });
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    // The groups are an overview: the page draws only the operations in view.
    swaggerOptions: { docExpansion: 'none', filter: true },
  });
}
