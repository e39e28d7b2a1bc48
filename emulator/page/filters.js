/** The rows left by the report's filters: basic ones (`In`, `NotIn`) on a column of the theme. */
export function filterRows({ opened, filters }) {
  const names = {
    Month: 'month',
    [opened.theme.category]: 'category',
    [opened.theme.series]: 'series',
    [opened.theme.detail]: 'detail',
    [opened.theme.person]: 'person',
  };
  return filters.reduce((rows, filter) => {
    const column = names[filter.target?.column];
    if (!column || !['In', 'NotIn'].includes(filter.operator)) return rows;
    const wanted = filter.operator === 'In';
    return rows.filter((row) => filter.values.includes(row[column]) === wanted);
  }, opened.rows);
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
