import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ProblemDto } from './common/problem.dto.js';

/** The description of the interface. Made from types and comments by the build: tests read it from the built service. */
export function openApiDocument(app: NestExpressApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Vitrine')
    .setDescription(
      'Workspace and Report Analytics Service: Power BI workspaces and reports in your own portal.',
    )
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'bearer')
    .addSecurityRequirements('bearer');
  return SwaggerModule.createDocument(app, builder.build(), { extraModels: [ProblemDto] });
}

/** `/docs` for people and `/openapi.json` for programs. */
export function serveDocs(app: NestExpressApplication): void {
  app.use('/docs', (_request: unknown, response: { removeHeader(name: string): void }, next: () => void) => {
    response.removeHeader('Content-Security-Policy');
    next();
  });
  SwaggerModule.setup('docs', app, () => openApiDocument(app), { jsonDocumentUrl: 'openapi.json' });
}
