import type { ProblemCode } from './problem-catalogue.js';

export class InvalidValueDto {
  /** JSON pointer to the value. */
  pointer!: string;
  detail!: string;
}

/** Every error (RFC 9457). */
export class ProblemDto {
  type!: string;
  title!: string;
  status!: number;
  detail!: string;
  instance!: string;
  /** What programs branch on. */
  code!: ProblemCode;
  /** Under which the service logged the request. */
  request_id!: string;
  errors?: InvalidValueDto[];
}
