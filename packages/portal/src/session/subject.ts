/** Whose access token this is. Nothing is decided by it but whether the person is still the same. */
export function subjectOf(token: string): string {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return (JSON.parse(atob(payload)) as { sub: string }).sub;
}
