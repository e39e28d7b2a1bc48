import { filterRows } from './filters.js';

/** The visuals of a page: what they are called and what they show. The first page sums up, the others list. */
export function visualsOf(session, page = session.page) {
  const { theme, report } = session.opened;
  const rows = (name) => filterRows(session, page, name);
  const sorted = (visual) => (session.ascending[`${page.name}/${visual.name}`] ? reversed(visual) : visual);
  if (report.reportType === 'PaginatedReport') return [listing(theme, rows)];
  if (page.name !== report.pages[0].name) {
    const summed = [bars(theme, rows, 'detail', 'wide'), share(theme, rows, 'person')];
    return [...summed.map(sorted), listing(theme, rows)];
  }
  return [
    ...cards(theme, rows),
    trend(theme, rows('trend'), report),
    share(theme, rows, 'series'),
    bars(theme, rows, 'category', 'wide'),
    bars(theme, rows, 'detail', 'narrow'),
  ].map(sorted);
}

function reversed(visual) {
  if (!visual.sums) return visual;
  return { ...visual, sums: visual.sums.toReversed(), table: visual.table.toReversed() };
}

function sumBy(rows, column) {
  const sums = new Map();
  for (const row of rows) sums.set(row[column], (sums.get(row[column]) ?? 0) + row.amount);
  return [...sums].toSorted(([, one], [, other]) => other - one);
}

function cards({ measure, unit, count, detail, person }, rows) {
  const distinct = (name, column) => new Set(rows(name).map((row) => row[column])).size;
  const counted = rows('count').reduce((sum, row) => sum + row.count, 0);
  return [
    card('total', measure, `${total(rows('total')).toLocaleString('en')} ${unit}`),
    card('count', count, counted.toLocaleString('en')),
    card('details', plural(detail), distinct('details', 'detail')),
    card('people', plural(person), distinct('people', 'person')),
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
  const sums = sumBy(rows(name), column);
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
    table: rows('table').map((row) => [
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
