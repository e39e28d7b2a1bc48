import type { UseFormReturnType } from '@mantine/form';

/** What the user changed. The other values can be older than those that another user has saved since. */
export const changesIn = <Values extends object>(form: UseFormReturnType<Values>): Partial<Values> =>
  Object.fromEntries(Object.entries(form.values).filter(([name]) => form.isDirty(name))) as Partial<Values>;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Shows what was saved, except in fields that the user has changed since they were submitted. */
export function showSaved<Values extends object>(
  form: UseFormReturnType<Values>,
  submitted: Values,
  saved: Values,
): void {
  form.setInitialValues(saved);
  form.setValues((now) => {
    const edited = Object.entries(now).filter(
      ([name, value]) => !isSame(value, submitted[name as keyof Values]),
    );
    return { ...saved, ...Object.fromEntries(edited) };
  });
}
