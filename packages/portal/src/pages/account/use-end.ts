import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ProblemError } from '../../api/problem.js';
import { notifyDone } from '../../components/notify.js';

/** Ends sessions. One that is over already is as good as ended. */
export function useEnd(end: () => Promise<unknown>, said: string, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      end().catch((error: unknown) => {
        if (!(error instanceof ProblemError && error.code === 'session_not_found')) throw error;
      }),
    onSuccess: () => {
      notifyDone(said);
      onDone();
      return queryClient.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
}
