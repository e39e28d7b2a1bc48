import { type ArgumentMetadata, Param, type PipeTransform } from '@nestjs/common';
import { InvalidRequest } from '../problems/problem.js';
import { toUuid } from './text.js';

/** The given id as PostgreSQL writes it. `name` is that of its member or parameter. Throws InvalidRequest. */
export function validId(given: string, name = 'id'): string {
  const id = toUuid(given);
  if (id === null) throw new InvalidRequest([{ pointer: `/${name}`, detail: `${name} must be a UUID` }]);
  return id;
}

class IdPipe implements PipeTransform<string, string> {
  transform(value: string, { data }: ArgumentMetadata): string {
    return validId(value, data);
  }
}

/** The id of this name in the path: a UUID of any version, in any case. */
export const PathId = (name = 'id'): ParameterDecorator => Param(name, new IdPipe());
