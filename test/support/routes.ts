import type { NestExpressApplication } from '@nestjs/platform-express';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

/** Every route, middleware aside, that the router really has, as `GET /api/workspaces/:id`. One may have a short way. */
export function routesOf(app: NestExpressApplication): string[] {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  const routes = router.stack
    .filter(({ route }) => route?.path.includes('*') === false)
    .flatMap(({ route }) =>
      Object.keys(route?.methods ?? {}).map((method) => `${method.toUpperCase()} ${route?.path}`),
    );
  return [...new Set(routes)].toSorted();
}
