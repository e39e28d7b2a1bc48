import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Json = Record<string, unknown>;

export interface Example {
  parameters: Record<string, unknown>;
  responses: Record<string, { body?: unknown; value?: unknown }>;
}

export interface Operation {
  method: string;
  path: string;
  parameters: { name: string; in: 'path' | 'query' | 'body'; schema?: Json }[];
  responses: Record<string, { schema?: Json }>;
  examples: { name: string; example: Example }[];
}

interface Document {
  paths: Record<string, Record<string, Json>>;
  definitions: Record<string, Json>;
}

const file = join(import.meta.dirname, '../../../packages/power-bi-emulator/definition/definition.json');
const document = JSON.parse(readFileSync(file, 'utf8')) as Document;

export const { definitions } = document;

/** Every operation of the reduced definition, with its examples. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    parameters: (operation.parameters ?? []) as Operation['parameters'],
    responses: operation.responses as Operation['responses'],
    examples: Object.entries((operation['x-ms-examples'] ?? {}) as Record<string, Example>).map(
      ([name, example]) => ({ name, example }),
    ),
  })),
);

/** What an example answers. Some have it under `body`, some bare. */
export function answerOf({ responses }: Example): { status: number; body: unknown } {
  const [status, response] = Object.entries(responses)[0]!;
  const { body, value } = response;
  return { status: Number(status), body: body ?? (value === undefined ? undefined : { value }) };
}
