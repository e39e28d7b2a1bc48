import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { notifyProblem } from '../../components/notify.js';

type Report = components['schemas']['ReportDto'];

const KEY = ['favourites'];

export const useFavourites = () =>
  useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await read(api.GET('/api/users/me/favourites', { signal }))).favourites,
  });

/** Whether a report is a favourite, and how to change that. The change is shown before the service confirms it. */
export function useFavourite(report: Report) {
  const client = useQueryClient();
  const { data } = useFavourites();
  const change = useMutation({
    mutationFn: (isWanted: boolean) => {
      const options = { params: { path: { id: report.id } } };
      return isWanted
        ? api.PUT('/api/reports/{id}/favourite', options)
        : api.DELETE('/api/reports/{id}/favourite', options);
    },
    onMutate: async (isWanted) => {
      await client.cancelQueries({ queryKey: KEY });
      const before = client.getQueryData<Report[]>(KEY);
      const others = before?.filter(({ id }) => id !== report.id) ?? [];
      client.setQueryData(KEY, isWanted ? [report, ...others] : others);
      return before;
    },
    onError: (error, _isWanted, before) => {
      client.setQueryData(KEY, before);
      notifyProblem(error);
    },
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
  const isFavourite = data?.some(({ id }) => id === report.id) === true;
  return { isFavourite, isKnown: data !== undefined, toggle: () => change.mutate(!isFavourite) };
}
