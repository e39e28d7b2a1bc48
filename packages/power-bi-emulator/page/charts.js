const palette = ['#118dff', '#12239e', '#e66c37', '#6b007b', '#e044a7', '#744ec2'];
const text = { fontFamily: 'Segoe UI, DejaVu Sans, sans-serif', color: '#605e5c' };
const grid = { left: 8, right: 28, top: 28, bottom: 4, containLabel: true };
const compact = new Intl.NumberFormat('en', { notation: 'compact' });
const axisLabel = { formatter: (value) => compact.format(value) };

/** ECharts' description of a visual. Nothing moves: a rendered report is a finished one. */
export function chartOption(visual, colors = palette) {
  const kinds = { donutChart: donut, barChart: bars, columnChart: trend, stackedAreaChart: trend };
  return { animation: false, color: colors, textStyle: text, ...kinds[visual.type](visual) };
}

function trend({ type, months, series }) {
  const area = type === 'stackedAreaChart';
  return {
    grid,
    legend: { top: 0, left: 0, itemHeight: 8, itemWidth: 12 },
    tooltip: { trigger: 'axis' },
    xAxis: { type: 'category', data: months, boundaryGap: !area },
    yAxis: { type: 'value', axisLabel },
    series: series.map(({ name, values }) => ({
      name,
      data: values,
      stack: 'all',
      type: area ? 'line' : 'bar',
      ...(area && { areaStyle: { opacity: 0.35 }, symbol: 'none' }),
    })),
  };
}

function donut({ sums }) {
  return {
    tooltip: { trigger: 'item' },
    legend: { bottom: 0, itemHeight: 8, itemWidth: 12 },
    series: [
      {
        type: 'pie',
        radius: ['42%', '66%'],
        center: ['50%', '44%'],
        label: { formatter: '{d}%' },
        data: sums.map(([name, value]) => ({ name, value })),
      },
    ],
  };
}

function bars({ sums }) {
  return {
    grid: { ...grid, top: 6 },
    tooltip: { trigger: 'axis' },
    xAxis: { type: 'value', axisLabel },
    yAxis: { type: 'category', inverse: true, data: sums.map(([name]) => name) },
    series: [{ type: 'bar', barMaxWidth: 26, data: sums.map(([, value]) => value) }],
  };
}
