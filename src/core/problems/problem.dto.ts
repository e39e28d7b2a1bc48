import type { ProblemCode } from './problem-catalogue.js';

export class InvalidValueDto {
  /** JSON pointer to the invalid value. */
  pointer!: string;
  detail!: string;
}

/** Details of an error (RFC 9457). */
export class ProblemDto {
  type!: string;
  title!: string;
  status!: number;
  detail!: string;
  instance!: string;
  /** A stable code that identifies the error. Clients branch on this value. */
  code!: ProblemCode;
  /** The id of the request in the service's log. */
  request_id!: string;
  errors?: InvalidValueDto[];
}
