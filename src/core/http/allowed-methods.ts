import type { Request } from 'express';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** Middleware of Nest's modules is routed too, under every path. */
const isRoute = ({ route }: Layer): boolean => route !== undefined && !route.path.includes('*');

/** The templates of the routes under the path of this request, for one that was refused before the router matched it. */
export function templatesAt(request: Request): string[] {
  const { stack } = request.app.router as unknown as { stack: Layer[] };
  const found = stack.filter((layer) => isRoute(layer) && layer.match(request.path));
  return found.flatMap(({ route }) => route?.path ?? []);
}

/** The methods that some route takes under the path of this request; empty when the path is nobody's. */
export function allowedMethods(request: Request): string[] {
  const { stack } = request.app.router as unknown as { stack: Layer[] };
  const methods = stack
    .filter((layer) => isRoute(layer) && layer.match(request.path))
    .flatMap((layer) => Object.keys(layer.route?.methods ?? {}))
    .map((method) => method.toUpperCase());
  if (methods.includes('GET')) methods.push('HEAD');
  return [...new Set(methods)].toSorted();
}
