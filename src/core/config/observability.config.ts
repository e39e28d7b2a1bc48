import type { Environment } from './environment.js';
import { decoded, isPercentEncoded } from './percent-encoding.js';

/** Parses OpenTelemetry's header format: values are percent-encoded. */
function readHeaders(env: Environment): Record<string, string> {
  const variable = 'OTEL_EXPORTER_OTLP_HEADERS';
  const about = 'Headers of requests to the collector';
  const text = env.optionalSecret(variable, about, '`name=value`, separated by commas') ?? '';
  if (!isPercentEncoded(text)) env.fail(`${variable} has a value that is not percent-encoded`);
  return Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.split(/=(.*)/s))
      .filter(([, value]) => value !== undefined)
      .map(([name = '', value = '']) => [name.trim(), decoded(value.trim())]),
  );
}

export function readObservability(root: Environment) {
  const env = root.group('Metrics and traces');
  return {
    metrics: {
      port: env.integer('METRICS_PORT', 'Port of `/metrics` for Prometheus; 0: disabled', {
        min: 0,
        max: 65_535,
        fallback: 0,
      }),
      host: env.string('METRICS_HOST', 'Address that the metrics server binds to', '127.0.0.1'),
    },
    traces: {
      endpoint: env.optionalUrl(
        'OTEL_EXPORTER_OTLP_ENDPOINT',
        'OpenTelemetry collector that receives traces over OTLP/HTTP. If unset, tracing is disabled',
        ['http:', 'https:'],
      ),
      headers: readHeaders(env),
      samplePercent: env.integer(
        'TRACE_SAMPLE_PERCENT',
        'Percentage of requests that are traced if the caller does not set the sampling flag',
        { min: 0, max: 100, fallback: 100 },
      ),
      serviceName: env.string('OTEL_SERVICE_NAME', 'Name of the service in traces', 'vitrine'),
    },
  };
}
