import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, read } from '../../api/client.js';
import { useWorkspace } from '../../api/use-workspace.js';
import { notifyDone, notifyProblem } from '../../components/notify.js';
import { Section } from '../../components/section.js';

/** What the managers of a workspace decide. */
export function WorkspaceSettings({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data } = useWorkspace(workspaceId);
  const change = useMutation({
    mutationFn: (viewers_can_export: boolean) =>
      read(
        api.PATCH('/api/workspaces/{id}', {
          params: { path: { id: workspaceId } },
          body: { viewers_can_export },
        }),
      ),
    onSuccess: (changed) => {
      client.setQueryData(['workspaces', workspaceId], changed);
      notifyDone(t('Changes saved'));
      return client.invalidateQueries({ queryKey: ['reports'] });
    },
    onError: notifyProblem,
  });
  return (
    <Section title={t('Export')}>
      <Switch
        label={t('Viewers can export reports')}
        description={t(
          'Viewers can download reports of this workspace as files that contain the rows they can see. Editors and managers can always export. The change applies at once; exports in progress are cancelled when the right is removed.',
        )}
        checked={change.isPending ? change.variables : (data?.viewers_can_export ?? false)}
        disabled={data === undefined}
        onChange={({ currentTarget: { checked } }) => change.mutate(checked)}
      />
    </Section>
  );
}
