import { Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconLink, IconPencil, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirm } from '../../../components/confirm.js';
import { notifyProblem } from '../../../components/notify.js';
import { useEscape } from '../../../components/use-escape.js';
import { useReturnFocus } from '../../../components/use-return-focus.js';
import { IconButton } from '../../../embedding/icon-button.js';
import { basePath } from '../../../settings.js';
import { useDeleteView, useRenameView, type View } from './use-views.js';

interface Props {
  reportId: string;
  view: View;
  canChange: boolean;
  /** At most one view of the list is renamed at a time. */
  isRenamed: boolean;
  onRename: (isRenamed: boolean) => void;
  onDeleted: () => void;
}

function RenameForm({ reportId, view, onDone }: Pick<Props, 'reportId' | 'view'> & { onDone: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(view.name);
  const rename = useRenameView(reportId);
  // The list below stays open.
  useEscape(true, onDone);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    rename.mutate({ id: view.id, name: name.trim() }, { onSuccess: onDone, onError: notifyProblem });
  };
  return (
    <form onSubmit={submit} className="view-rename">
      <TextInput
        flex={1}
        aria-label={t('New name of {{name}}', { name: view.name })}
        value={name}
        maxLength={200}
        onChange={(event) => setName(event.currentTarget.value)}
        ref={(input) => input?.focus()}
      />
      <Button type="submit" loading={rename.isPending} disabled={name.trim() === ''}>
        {t('Save')}
      </Button>
      <Button variant="default" onClick={onDone}>
        {t('Cancel')}
      </Button>
    </form>
  );
}

export function ViewRow({ reportId, view, canChange, isRenamed, onRename, onDeleted }: Props) {
  const { t } = useTranslation();
  const { copied, copy } = useClipboard({ timeout: 3000 });
  const [asks, setAsks] = useState(false);
  const rename = useReturnFocus(isRenamed);
  const remove = useDeleteView(reportId);
  const link = `${location.origin}${basePath}/reports/${reportId}?view=${view.id}`;
  const { name } = view;
  if (isRenamed) {
    return (
      <li className="view">
        <RenameForm reportId={reportId} view={view} onDone={() => onRename(false)} />
      </li>
    );
  }
  return (
    <li className="view">
      <Group gap="xs" miw={0} flex={1}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {view.scope === 'shared' && (
          <Badge size="sm" variant="light">
            {t('Shared')}
          </Badge>
        )}
      </Group>
      <Group gap={6} wrap="nowrap">
        <IconButton
          label={copied ? t('Copied') : t('Copy link to {{name}}', { name })}
          icon={copied ? IconCheck : IconLink}
          onClick={() => copy(link)}
        />
        {canChange && (
          <>
            <IconButton
              ref={rename}
              label={t('Rename {{name}}', { name })}
              icon={IconPencil}
              onClick={() => onRename(true)}
            />
            <IconButton
              label={t('Delete {{name}}', { name })}
              icon={IconTrash}
              onClick={() => setAsks(true)}
            />
          </>
        )}
      </Group>
      <Confirm
        title={t('Delete {{name}}?', { name })}
        action={t('Delete view')}
        opened={asks}
        change={remove}
        onConfirm={() => remove.mutate(view, { onSuccess: onDeleted })}
        onClose={() => setAsks(false)}
      >
        {view.scope === 'shared'
          ? t('Everyone who uses this view loses it. Links to it stop working.')
          : t('Links to this view stop working.')}
      </Confirm>
    </li>
  );
}
