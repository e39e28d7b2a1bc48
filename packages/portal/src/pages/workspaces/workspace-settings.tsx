import { Button, Group, Switch, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, read } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import type { components } from '../../api/schema.js';
import { settingsKey, useWorkspaceSettings } from '../../api/use-workspace.js';
import { notifyDone, notifyProblem } from '../../components/notify.js';
import { QueryView } from '../../components/query-view.js';
import { Section } from '../../components/section.js';
import { contactTextOf, contactUrlOf } from './contact.js';

type Settings = components['schemas']['ChangeWorkspaceSettingsDto'];

function useChange(workspaceId: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Settings) =>
      read(api.PATCH('/api/workspaces/{id}/settings', { params: { path: { id: workspaceId } }, body })),
    onSuccess: (changed) => {
      client.setQueryData(settingsKey(workspaceId), changed);
      notifyDone(t('Changes saved'));
      return client.invalidateQueries({ queryKey: ['reports'] });
    },
  });
}

function Contact({ workspaceId, saved }: { workspaceId: string; saved: string | null }) {
  const { t } = useTranslation();
  const [text, setText] = useState(contactTextOf(saved));
  const change = useChange(workspaceId);
  const isInvalid = change.error instanceof ProblemError && change.error.of('contact_url') !== undefined;
  const save = () =>
    change.mutate(
      { contact_url: contactUrlOf(text) },
      {
        onError: (error) => {
          if (!(error instanceof ProblemError) || error.of('contact_url') === undefined) notifyProblem(error);
        },
      },
    );
  return (
    <Section title={t('Contact')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Group align="flex-end" gap="sm">
          <TextInput
            flex="1 1 260px"
            label={t('Email address or link')}
            description={t(
              'Of the user or team that answers questions about the reports of this workspace. Readers find it under “More actions” of a report.',
            )}
            value={text}
            maxLength={500}
            onChange={(event) => setText(event.currentTarget.value)}
            error={isInvalid && t('Enter an email address, or a link that begins with https://')}
          />
          <Button type="submit" variant="default" loading={change.isPending}>
            {t('Save changes')}
          </Button>
        </Group>
      </form>
    </Section>
  );
}

function Export({ workspaceId, saved }: { workspaceId: string; saved: boolean }) {
  const { t } = useTranslation();
  const change = useChange(workspaceId);
  return (
    <Section title={t('Export')}>
      <Switch
        label={t('Viewers can export reports')}
        description={t(
          'Viewers can download reports of this workspace as files that contain the rows they can see. Editors and managers can always export. The change applies at once; exports in progress are cancelled when the right is removed.',
        )}
        checked={change.isPending ? change.variables.viewers_can_export === true : saved}
        onChange={({ currentTarget: { checked } }) =>
          change.mutate({ viewers_can_export: checked }, { onError: notifyProblem })
        }
      />
    </Section>
  );
}

/** What the managers of a workspace decide. */
export const WorkspaceSettings = ({ workspaceId }: { workspaceId: string }) => (
  <QueryView query={useWorkspaceSettings(workspaceId)}>
    {(settings) => (
      <>
        <Export workspaceId={workspaceId} saved={settings.viewers_can_export} />
        <Contact workspaceId={workspaceId} saved={settings.contact_url} />
      </>
    )}
  </QueryView>
);
