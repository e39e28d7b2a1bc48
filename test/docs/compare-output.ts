const literally = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Compares text line by line: each shown line must occur in order, and `…` matches anything. */
export function differenceOfText(shown: string, actual: string): string | undefined {
  const lines = actual.split(/\r?\n/).map((line) => line.trimEnd());
  let from = 0;
  for (const line of shown.split('\n').filter((each) => each.trim() !== '')) {
    const pattern = new RegExp(`^${line.trimEnd().split('…').map(literally).join('.*')}$`, 'i');
    const found = lines.findIndex((each, index) => index >= from && pattern.test(each));
    if (found < 0) return `no line like "${line}"`;
    from = found + 1;
  }
  return undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'a list' : typeof value);

/** Compares JSON by fields and types. Null matches any type; the last shown item of a list applies to all further ones. */
function differenceOfShape(shown: unknown, actual: unknown, path: string): string | undefined {
  if (shown === null || actual === null) return undefined;
  if (Array.isArray(shown) && Array.isArray(actual)) {
    if (shown.length > 0 && actual.length === 0) return `${path} is empty`;
    const model = (index: number): unknown => shown[index] ?? shown.at(-1) ?? null;
    return actual
      .map((each, index) => differenceOfShape(model(index), each, `${path}/${index}`))
      .find(Boolean);
  }
  if (isObject(shown) && isObject(actual)) {
    const names = Object.keys(actual);
    if (Object.keys(shown).toSorted().join() !== names.toSorted().join())
      return `${path} has ${names.join(', ')}`;
    return names.map((name) => differenceOfShape(shown[name], actual[name], `${path}/${name}`)).find(Boolean);
  }
  return kindOf(shown) === kindOf(actual) ? undefined : `${path} is ${kindOf(actual)}`;
}

/** Field values that are compared literally. */
const literalFields = [
  'code',
  'status',
  'role',
  'reason',
  'embeds',
  'access',
  'delivery',
  'token_type',
  'report_type',
];

export function differenceOfJson(shown: unknown, actual: unknown): string | undefined {
  if (isObject(shown) && isObject(actual)) {
    const different = literalFields.find((name) => shown[name] !== actual[name]);
    if (different !== undefined) return `/${different} is ${JSON.stringify(actual[different])}`;
  }
  return differenceOfShape(shown, actual, '');
}
