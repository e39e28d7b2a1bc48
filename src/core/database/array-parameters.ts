/** SQL: the parameters from `$first` on, which are arrays of these types: one for each column, with a value for each row. */
export const arrayParameters = (types: readonly string[], first: number): string[] =>
  types.map((type, index) => `$${first + index}::${type}[]`);

/** SQL: the values of the first row. Faster than `unnest` for a single row. */
export const firstRow = (arrays: readonly string[]): string =>
  arrays.map((values) => `(${values})[1]`).join(', ');
