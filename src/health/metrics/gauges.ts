import { Gauge, type Registry } from 'prom-client';

type Sample = readonly [value: number, labels?: Record<string, string>];

/** A gauge that is read when metrics are collected. No samples means that the value is unknown. */
export interface GaugeDefinition {
  name: string;
  help: string;
  labels?: readonly string[];
  samples: () => readonly Sample[] | Promise<readonly Sample[]>;
}

export const gaugeOf = (registry: Registry, { name, help, labels = [], samples }: GaugeDefinition): Gauge =>
  new Gauge({
    name: `vitrine_${name}`,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      this.reset();
      // After a reset, a gauge without labels would report 0.
      if (labels.length === 0) this.remove();
      for (const [value, of = {}] of await samples()) this.set(of, value);
    },
  });
