import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { NextFunction, Request, Response } from 'express';
import type { Config } from '../config/config.js';
import { requestId } from '../http/request-context.js';
import { routeOf } from '../http/request-timing.js';

type TraceSettings = Config['traces'] & { endpoint: string };

const carrierSetter = {
  set: (carrier: Record<string, string>, key: string, value: string) => void (carrier[key] = value),
};
const headerGetter = {
  get: (headers: Request['headers'], key: string) => headers[key],
  keys: (headers: Request['headers']) => Object.keys(headers),
};

const providerOf = ({ endpoint, headers, serviceName, samplePercent }: TraceSettings): TracerProvider =>
  new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(samplePercent / 100) }),
    spanLimits: { attributeValueLengthLimit: 2000 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers }),
        scheduledDelayMillis: 1000,
      }),
    ],
  });

/** Manual OpenTelemetry instrumentation at three points: its ESM hooks would have to be loaded before all other modules. */
export class OtelTracing {
  private readonly contexts = new AsyncLocalStorage<Context>();
  private readonly propagator = new W3CTraceContextPropagator();
  private readonly provider: TracerProvider;
  private readonly tracer;

  constructor(settings: TraceSettings) {
    this.provider = providerOf(settings);
    this.tracer = this.provider.getTracer(settings.serviceName);
  }

  request(request: Request, response: Response, next: NextFunction): void {
    const caller = this.propagator.extract(ROOT_CONTEXT, request.headers, headerGetter);
    const attributes = { 'http.request.method': request.method, 'vitrine.request_id': requestId() };
    const span = this.tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, caller);
    response.once('close', () => {
      const route = routeOf(request);
      span.updateName(`${request.method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': response.statusCode });
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    this.contexts.run(trace.setSpan(caller, span), next);
  }

  /** `headers` propagate the trace to the called system. */
  async call<T>(
    name: string,
    attributes: Record<string, string | number>,
    work: (headers: Record<string, string>) => Promise<T>,
  ): Promise<T> {
    const span = this.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, this.active());
    const context = trace.setSpan(this.active(), span);
    try {
      return await this.contexts.run(context, () => work(this.headersOf(context)));
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  /**
   * Records a finished statement that took `ms` milliseconds. Skipped without an active span, because it belongs to
   * no request or call.
   */
  statement(text: string, ms: number, error?: unknown): void {
    const context = this.active();
    if (trace.getSpan(context) === undefined) return;
    const now = Date.now();
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
    const span = this.tracer.startSpan(
      /\w+/.exec(text)?.[0].toUpperCase() ?? 'SQL',
      { kind: SpanKind.CLIENT, attributes, startTime: now - ms },
      context,
    );
    if (error !== undefined) fail(span, error);
    span.end(now);
  }

  traceId(): string | undefined {
    return trace.getSpan(this.active())?.spanContext().traceId;
  }

  /** Exports the remaining spans and shuts down. */
  async stop(): Promise<void> {
    this.contexts.disable();
    await this.provider.shutdown();
  }

  private active(): Context {
    return this.contexts.getStore() ?? ROOT_CONTEXT;
  }

  private headersOf(context: Context): Record<string, string> {
    const headers: Record<string, string> = {};
    this.propagator.inject(context, headers, carrierSetter);
    return headers;
  }
}

/** Records only the type of an error: error messages can quote user input. */
function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
}
