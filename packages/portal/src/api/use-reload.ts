import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';

/** What shows the names of users. */
export const namesOfUsers = ['users', 'principals'];

/** Returns a function that reloads what is cached of these kinds, the first parts of query keys. `kinds` is a constant. */
export function useReload(kinds: readonly string[]) {
  const queryClient = useQueryClient();
  return useCallback(
    () => Promise.all(kinds.map((kind) => queryClient.invalidateQueries({ queryKey: [kind] }))),
    [queryClient, kinds],
  );
}
