import { filterRows } from './filters.js';

/** The visuals of a page: what they are called and what they show. The first page sums up, the others list. */
export function visualsOf(session) {
  const { theme, report } = session.opened;
  const rows = filterRows(session);
  if (report.reportType === 'PaginatedReport') return [listing(theme, rows)];
  if (session.page.name !== report.pages[0].name) {
    return [bars(theme, rows, 'detail', 'wide'), share(theme, rows, 'person'), listing(theme, rows)];
  }
  return [
    ...cards(theme, rows),
    trend(theme, rows, report),
    share(theme, rows, 'series'),
    bars(theme, rows, 'category', 'wide'),
    bars(theme, rows, 'detail', 'narrow'),
  ];
}

export function sumBy(rows, column) {
  const sums = new Map();
  for (const row of rows) sums.set(row[column], (sums.get(row[column]) ?? 0) + row.amount);
  return [...sums].toSorted(([, one], [, other]) => other - one);
}

function cards({ measure, unit, count, detail, person }, rows) {
  const total = rows.reduce((sum, row) => sum + row.amount, 0);
  const counted = rows.reduce((sum, row) => sum + row.count, 0);
  const distinct = (column) => new Set(rows.map((row) => row[column])).size;
  return [
    card('total', measure, `${total.toLocaleString('en')} ${unit}`),
    card('count', count, counted.toLocaleString('en')),
    card('details', plural(detail), distinct('detail')),
    card('people', plural(person), distinct('person')),
  ];
}

function plural(noun) {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

function card(name, title, value) {
  return { name, title, type: 'card', value, columns: [title], table: [[value]] };
}

function trend(theme, rows, report) {
  const months = [...new Set(rows.map(({ month }) => month))];
  const series = theme.seriesNames.map((name) => ({
    name,
    values: months.map((month) => total(rows.filter((row) => row.month === month && row.series === name))),
  }));
  const type = report.name.length % 2 === 0 ? 'stackedAreaChart' : 'columnChart';
  return {
    name: 'trend',
    title: `${theme.measure} by month and ${theme.series.toLowerCase()}`,
    type,
    size: 'wide',
    months,
    series,
    columns: ['Month', ...theme.seriesNames],
    table: months.map((month, index) => [month, ...series.map(({ values }) => values[index])]),
  };
}

function share(theme, rows, column) {
  return summed('share', 'donutChart', 'narrow', theme, rows, column);
}

function bars(theme, rows, column, size) {
  return summed(`by-${column}`, 'barChart', size, theme, rows, column);
}

function summed(name, type, size, theme, rows, column) {
  const sums = sumBy(rows, column);
  const title = `${theme.measure} by ${theme[column].toLowerCase()}`;
  return { name, title, type, size, sums, columns: [theme[column], theme.measure], table: sums };
}

function listing(theme, rows) {
  return {
    name: 'table',
    title: `${theme.count} in detail`,
    type: 'tableEx',
    size: 'full',
    columns: ['Month', theme.category, theme.series, theme.detail, theme.person, theme.count, theme.measure],
    table: rows.map((row) => [
      row.month,
      row.category,
      row.series,
      row.detail,
      row.person,
      row.count,
      row.amount,
    ]),
  };
}

function total(rows) {
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}
