import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ProblemError } from '../../api/problem.js';
import { notifyDone } from '../../components/notify.js';

/** Ends sessions. A session that has already ended counts as success. */
export function useSignOut(end: () => Promise<unknown>, message: string, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      end().catch((error: unknown) => {
        if (!(error instanceof ProblemError && error.code === 'session_not_found')) throw error;
      }),
    onSuccess: () => {
      notifyDone(message);
      onDone();
      return queryClient.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
}
