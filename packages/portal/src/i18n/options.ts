import { t } from 'i18next';

/** The options of a select, from texts that are marked with `msg()`. */
export const optionsOf = <V extends string>(texts: Record<V, string>): { value: V; label: string }[] =>
  (Object.entries(texts) as [V, string][]).map(([value, text]) => ({ value, label: t(text) }));

/** Options whose labels are marked with `msg()`. */
export const translated = <O extends { label: string }>(options: readonly O[]): O[] =>
  options.map((option) => ({ ...option, label: t(option.label) }));
