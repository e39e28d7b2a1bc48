import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { BarChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { formatNumber } from '../../i18n/format.js';
import { count } from './format.js';

use([BarChart, AriaComponent, GridComponent, LegendComponent, TooltipComponent, SVGRenderer]);

export interface Series {
  name: string;
  values: (number | null)[];
}

interface Props {
  /** Read by screen readers; the table beneath has the figures. */
  label: string;
  categories: string[];
  series: Series[];
}

/** The colour of links and a lighter shade of it. */
function useColors(scheme: 'light' | 'dark'): [string, string] {
  const { blue } = useMantineTheme().colors;
  return scheme === 'dark' ? [blue[4], blue[2]] : [blue[8], blue[4]];
}

/** A bar chart. Loaded only by the pages of Analytics. */
export default function Chart({ label, categories, series }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const [color, lighter] = useColors(scheme);
  useEffect(() => {
    if (element.current === null) return undefined;
    const chart = init(element.current, scheme === 'dark' ? 'dark' : undefined, { renderer: 'svg' });
    chart.setOption({
      animation: false,
      backgroundColor: 'transparent',
      color: [color, lighter],
      grid: { left: 8, right: 8, top: 36, bottom: 8, containLabel: true },
      legend: { top: 0, left: 0 },
      tooltip: {
        trigger: 'axis',
        valueFormatter: (value: unknown) => count(typeof value === 'number' ? value : null),
      },
      xAxis: { type: 'category', data: categories },
      yAxis: { type: 'value', minInterval: 1, axisLabel: { formatter: formatNumber } },
      series: series.map(({ name, values }) => ({ type: 'bar', name, data: values })),
    });
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [categories, series, scheme, color, lighter]);
  return <div ref={element} role="img" aria-label={label} style={{ width: '100%', height: 260 }} />;
}
