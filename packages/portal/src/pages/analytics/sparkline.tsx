import { t } from 'i18next';
import { count } from './format.js';

const WIDTH = 72;
const HEIGHT = 20;
/** Half of the line's width, so that it is not cut. */
const EDGE = 1;

/** Views over time as a small line, without axes: the row has the figures. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const highest = Math.max(1, ...values);
  const step = (WIDTH - 2 * EDGE) / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) =>
      `${(EDGE + index * step).toFixed(1)},${(HEIGHT - EDGE - (value / highest) * (HEIGHT - 2 * EDGE)).toFixed(1)}`,
  );
  return (
    <svg
      role="img"
      aria-label={t('Views over time: highest {{highest}}, last {{last}}', {
        highest: count(Math.max(0, ...values)),
        last: count(values.at(-1) ?? 0),
      })}
      className="sparkline"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}
