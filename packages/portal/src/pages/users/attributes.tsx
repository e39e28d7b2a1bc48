import { useQuery } from '@tanstack/react-query';
import { AttributesEditor } from '../../access/attributes-editor.js';
import { api, read } from '../../api/client.js';
import { QueryView } from '../../components/query-view.js';
import { useChangeUser } from './use-user.js';

async function load(userId: string, signal?: AbortSignal): Promise<Record<string, string>> {
  const params = { path: { id: userId } };
  return (await read(api.GET('/api/users/{id}/attributes', { params, signal }))).attributes;
}

/** Attributes of a user; those of a service account are part of it. */
export function Attributes({ userId }: { userId: string }) {
  const query = useQuery({
    queryKey: ['users', 'attributes', userId],
    queryFn: ({ signal }) => load(userId, signal),
  });
  const change = useChangeUser(userId);
  return (
    <QueryView query={query}>
      {(attributes) => (
        <AttributesEditor
          attributes={attributes}
          load={() => load(userId)}
          save={(changed) => change.mutateAsync({ attributes: changed })}
        />
      )}
    </QueryView>
  );
}
