import { Gauge, type Registry } from 'prom-client';

type Sample = readonly [value: number, labels?: Record<string, string>];

/** A number that is looked at when somebody asks. No samples: nothing is known. */
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
      // Reset, one without labels would say 0.
      if (labels.length === 0) this.remove();
      for (const [value, of = {}] of await samples()) this.set(of, value);
    },
  });
