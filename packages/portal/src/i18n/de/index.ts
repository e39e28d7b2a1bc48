const files = import.meta.glob<Record<string, string>>('./*.json', { eager: true, import: 'default' });

export const de: Record<string, string> = Object.assign({}, ...Object.values(files)) as Record<
  string,
  string
>;
