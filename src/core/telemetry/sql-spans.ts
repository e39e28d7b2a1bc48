import type { AfterQueryEvent, EntitySubscriberInterface } from 'typeorm';
import type { OtelTracing } from './otel-tracing.js';

/** Each statement as TypeORM tells it: with `$1` in place of values, which stay out of traces. */
export class SqlSpans implements EntitySubscriberInterface {
  constructor(private readonly tracing: Pick<OtelTracing, 'statement'>) {}

  afterQuery({ query, executionTime = 0, error }: AfterQueryEvent): void {
    this.tracing.statement(query, executionTime, error);
  }
}
