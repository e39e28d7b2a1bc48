import type { AfterQueryEvent, EntitySubscriberInterface } from 'typeorm';
import type { OtelTracing } from './otel-tracing.js';

/** Traces each statement of TypeORM with `$1` in place of values, which must not appear in traces. */
export class SqlSpans implements EntitySubscriberInterface {
  constructor(private readonly tracing: Pick<OtelTracing, 'statement'>) {}

  afterQuery({ query, executionTime = 0, error }: AfterQueryEvent): void {
    this.tracing.statement(query, executionTime, error);
  }
}
