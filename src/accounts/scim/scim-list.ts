import { IsOptional } from 'class-validator';
import type { Offset } from '../../core/lists/offset-page.js';
import { IsText } from '../../core/validation/validators.js';
import { invalid } from './scim.errors.js';

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const DEFAULT_COUNT = 100;
export const MAX_COUNT = 200;
/** Of PostgreSQL's `integer`. */
const MAX_INTEGER = 2 ** 31 - 1;

/** Which attributes a response contains, by their names separated by commas. */
export class ScimSelectionQuery {
  @IsOptional()
  @IsText()
  attributes?: string;

  @IsOptional()
  @IsText()
  excludedAttributes?: string;
}

export class ScimListQuery extends ScimSelectionQuery {
  @IsOptional()
  @IsText()
  filter?: string;

  @IsOptional()
  @IsText()
  startIndex?: string;

  @IsOptional()
  @IsText()
  count?: string;

  @IsOptional()
  @IsText()
  sortBy?: string;

  @IsOptional()
  @IsText()
  sortOrder?: string;
}

function integer(name: string, value: string | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (!/^-?\d+$/.test(value)) return invalid('invalidValue', `${name} must be a whole number`);
  return Math.min(Number(value), MAX_INTEGER);
}

/** RFC 7644, section 3.4.2.4: values out of range are replaced by the nearest one in range. Throws ScimError. */
export function pageOf({ startIndex, count }: ScimListQuery): Offset {
  return {
    offset: Math.max(1, integer('startIndex', startIndex, 1)) - 1,
    limit: Math.min(MAX_COUNT, Math.max(0, integer('count', count, DEFAULT_COUNT))),
  };
}

export const listResponse = (
  total: number,
  { offset }: Offset,
  resources: readonly object[],
): Record<string, unknown> => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
});
