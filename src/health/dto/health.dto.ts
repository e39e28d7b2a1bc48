export type HealthStatus = 'ok' | 'degraded' | 'down';

export class CheckDto {
  status!: HealthStatus;
  /** Details of the status; returned to admins only. */
  detail?: string;
}

export class ChecksDto {
  database!: CheckDto;
  jobs!: CheckDto;
  mail!: CheckDto;
  power_bi!: CheckDto;
}

export class HealthDto {
  status!: HealthStatus;
  checks!: ChecksDto;
}
