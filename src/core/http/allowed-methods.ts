import type { Request } from 'express';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** Excludes middleware of Nest modules, which is registered as routes with wildcard paths. */
const isRoute = ({ route }: Layer): boolean => route !== undefined && !route.path.includes('*');

/** Route templates that match the request path, for requests rejected before routing. */
export function templatesAt(request: Request): string[] {
  const { stack } = request.app.router as unknown as { stack: Layer[] };
  const found = stack.filter((layer) => isRoute(layer) && layer.match(request.path));
  return found.flatMap(({ route }) => route?.path ?? []);
}

/** Methods that the routes on the request path accept; empty if no route matches. */
export function allowedMethods(request: Request): string[] {
  const { stack } = request.app.router as unknown as { stack: Layer[] };
  const methods = stack
    .filter((layer) => isRoute(layer) && layer.match(request.path))
    .flatMap((layer) => Object.keys(layer.route?.methods ?? {}))
    .map((method) => method.toUpperCase());
  if (methods.includes('GET')) methods.push('HEAD');
  return [...new Set(methods)].toSorted();
}
