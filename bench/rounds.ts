import { type Spread, spreadOf } from './rows.js';

/** A number from the environment, for example for a short run. */
export const setting = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

export const rounds = setting('BENCH_ROUNDS', 5);
/** Seconds per round. */
export const seconds = setting('BENCH_SECONDS', 5);

/** Measures the targets alternately, so that other load on the machine affects all of them. */
export async function measureInTurn<
  T,
  Figures extends { [Name in keyof Figures]: number },
  Name extends string,
>(
  targets: Record<Name, T>,
  measure: (target: T) => Promise<Figures>,
): Promise<Record<Name, { [Figure in keyof Figures]: Spread }>> {
  const names = Object.keys(targets) as Name[];
  const measured = new Map<Name, Figures[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) measured.get(name)?.push(await measure(targets[name]));
  }
  const spreads = (figures: Figures[]) =>
    Object.fromEntries(
      Object.keys(figures[0] ?? {}).map((key) => [
        key,
        spreadOf(figures.map((each) => each[key as keyof Figures])),
      ]),
    ) as { [Figure in keyof Figures]: Spread };
  return Object.fromEntries([...measured].map(([name, figures]) => [name, spreads(figures)])) as Record<
    Name,
    { [Figure in keyof Figures]: Spread }
  >;
}
