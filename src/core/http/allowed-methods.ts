import type { Request } from 'express';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** Excludes middleware of Nest modules, which is registered as routes with wildcard paths. */
const isRoute = ({ route }: Layer): boolean => route !== undefined && !route.path.includes('*');

function isAt(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    // The path matches; a parameter in it cannot be decoded.
    return true;
  }
}

const routesAt = ({ app, path }: Request): Layer[] =>
  (app.router as unknown as { stack: Layer[] }).stack.filter((layer) => isRoute(layer) && isAt(layer, path));

/** Route templates that match the request path, for requests rejected before routing. */
export function templatesAt(request: Request): string[] {
  return routesAt(request).flatMap(({ route }) => route?.path ?? []);
}

/** Methods that the routes on the request path accept; empty if no route matches. */
export function allowedMethods(request: Request): string[] {
  const methods = routesAt(request)
    .flatMap((layer) => Object.keys(layer.route?.methods ?? {}))
    .map((method) => method.toUpperCase());
  if (methods.includes('GET')) methods.push('HEAD');
  return [...new Set(methods)].toSorted();
}
