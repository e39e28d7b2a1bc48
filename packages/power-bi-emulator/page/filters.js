/** The rows that a visual shows: those left by the filters of the report, of its page and of its own. */
export function filterRows(session, page, visual) {
  const filters = [
    ...session.filters,
    ...scopedFilters(session, page.name),
    ...scopedFilters(session, page.name, visual),
  ];
  return filters.reduce((rows, filter) => applied(filter, session.opened.theme, rows), session.opened.rows);
}

/** Filters of a page, or of one visual on it. */
export function scopedFilters(session, page, visual = '') {
  return session.scoped[`${page}/${visual}`] ?? [];
}

export function setScopedFilters(session, filters, page, visual = '') {
  session.scoped[`${page}/${visual}`] = filters;
}

/** Applies one of the client's operations: 0 remove all, 1 replace all, 2 add, 3 replace those of the same target. */
export function updateFilters(current, operation, filters = []) {
  if (operation === 0) return [];
  if (operation === 1) return filters;
  if (operation === 2) return [...current, ...filters];
  const target = (filter) => `${filter.target?.table}/${filter.target?.column}`;
  const replaced = new Set(filters.map(target));
  return [...current.filter((filter) => !replaced.has(target(filter))), ...filters];
}

/** Basic filters (`In`, `NotIn`) on a column of the theme take effect; others are only kept. */
function applied(filter, theme, rows) {
  const columns = {
    Month: 'month',
    [theme.category]: 'category',
    [theme.series]: 'series',
    [theme.detail]: 'detail',
    [theme.person]: 'person',
  };
  const column = columns[filter.target?.column];
  if (!column || !['In', 'NotIn'].includes(filter.operator)) return rows;
  const wanted = filter.operator === 'In';
  return rows.filter((row) => filter.values.includes(row[column]) === wanted);
}
