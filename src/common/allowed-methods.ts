import type { Request } from 'express';

interface Layer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** The methods that some route takes under the path of this request; empty when the path is nobody's. */
export function allowedMethods(request: Request): string[] {
  const { stack } = request.app.router as unknown as { stack: Layer[] };
  const methods = stack
    .filter((layer) => layer.route !== undefined && layer.match(request.path))
    .flatMap((layer) => Object.keys(layer.route?.methods ?? {}))
    .map((method) => method.toUpperCase());
  return [...new Set(methods)].filter((method) => method !== '_ALL').toSorted();
}
