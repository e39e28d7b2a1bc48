import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoContent } from '../../../packages/power-bi-emulator/content/demo.js';
import { Emulator } from '../../../packages/power-bi-emulator/emulator.js';
import { servedOperations } from '../../../packages/power-bi-emulator/rest/operations.js';

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

const served = new Set(servedOperations(await Emulator.create(demoContent)).map(({ id }) => id));

/** Every served operation of the definition, with its examples. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { operationId }]) => served.has(String(operationId)))
    .map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []) as Operation['parameters'],
      responses: operation.responses as Operation['responses'],
      examples: Object.entries((operation['x-ms-examples'] ?? {}) as Record<string, Example>).map(
        ([name, example]) => ({ name, example: repaired(path, example) }),
      ),
    })),
);

/** Some examples name a parameter otherwise, or leave out the id of what they return. */
function repaired(path: string, example: Example): Example {
  const {
    AssignWorkspacesToCapacityRequest: assign,
    UnassignWorkspacesCapacityRequest: unassign,
    ...rest
  } = example.parameters as Record<string, Json | undefined>;
  const { dashboardKey, tileKey, ...parameters } = rest;
  const { WorkspacesToUnassign: workspacesToUnassign } = unassign ?? {};
  const body = assign ?? (unassign && { workspacesToUnassign });
  const { id } = (answerOf(example).body ?? {}) as Json;
  const last = /\{(dashboardId|reportId)\}$/.exec(path)?.[1];
  return {
    ...example,
    parameters: {
      ...(dashboardKey !== undefined && { dashboardId: dashboardKey }),
      ...(tileKey !== undefined && { tileId: tileKey }),
      ...parameters,
      ...(body && { requestParameters: body }),
      ...(last && id !== undefined && { [last]: id }),
    },
  };
}

/** What an example answers. Some have it under `body`, some bare. */
export function answerOf({ responses }: Example): { status: number; body: unknown } {
  const [status, response] = Object.entries(responses)[0]!;
  const { body, value } = response;
  return { status: Number(status), body: body ?? (value === undefined ? undefined : { value }) };
}
