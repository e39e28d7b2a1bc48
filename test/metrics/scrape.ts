import { freePort } from '../../local/free-port.js';
import { type Service, startService } from '../support/service.js';

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const line = /^(\w+)(?:\{(.*)\})? (\S+)$/;

/** Prometheus' text format, as far as we write it. Throws on a line that is none of it. */
export const samplesOf = (text: string): Sample[] =>
  text
    .split('\n')
    .filter((each) => each !== '' && !each.startsWith('#'))
    .map((each) => {
      const [, name, labels = '', value] = line.exec(each) ?? [];
      if (name === undefined) throw new Error(`No sample: ${each}`);
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(
        ([, key = '', of = '']) => [key, of] as const,
      );
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });

export interface Watched {
  service: Service;
  url: string;
  scrape: () => Promise<Sample[]>;
  /** The sum of all samples of that name whose labels include these. */
  valueOf: (name: string, labels?: Record<string, string>) => Promise<number | undefined>;
}

/** A service with metrics. */
export async function startWatched(variables: Record<string, string> = {}): Promise<Watched> {
  const port = await freePort();
  const service = await startService({ METRICS_PORT: String(port), ...variables });
  const url = `http://127.0.0.1:${port}/metrics`;
  const scrape = async () => samplesOf(await (await fetch(url)).text());
  return {
    service,
    url,
    scrape,
    valueOf: async (name, labels = {}) => {
      const found = (await scrape()).filter(
        (sample) =>
          sample.name === name && Object.entries(labels).every(([key, of]) => sample.labels[key] === of),
      );
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}
