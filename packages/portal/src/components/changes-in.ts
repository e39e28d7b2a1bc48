import type { UseFormReturnType } from '@mantine/form';

/** What the user changed. The other values can be older than those that another user has saved since. */
export const changesIn = <Values extends object>(form: UseFormReturnType<Values>): Partial<Values> =>
  Object.fromEntries(Object.entries(form.values).filter(([name]) => form.isDirty(name))) as Partial<Values>;
