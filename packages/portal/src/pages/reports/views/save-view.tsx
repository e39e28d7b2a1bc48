import { Button, Group, Stack, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemError } from '../../../api/problem.js';
import { Dialog } from '../../../components/dialog.js';
import { notifyDone, notifyFailure } from '../../../components/notify.js';
import { ProblemAlert } from '../../../components/states.js';
import { useIsShown } from '../../../components/use-is-shown.js';
import { isTooLarge, type ReportControls } from '../../../embedding/report-controls.js';
import { useSaveView } from './use-views.js';

interface Props {
  reportId: string;
  controls: ReportControls;
  /** Editors share views with everyone who can see the report. */
  canShare: boolean;
  onSaved: (id: string) => void;
  onClose: () => void;
}

/** Saves filters, slicers, sorting and the active page under a name. */
export default function SaveView({ reportId, controls, canShare, onSaved, onClose }: Props) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [isShared, setIsShared] = useState(false);
  /** Power BI takes a moment, in which a second click must not save a second view. */
  const [isCapturing, setIsCapturing] = useState(false);
  const save = useSaveView(reportId);
  const isShown = useIsShown();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isCapturing || save.isPending) return;
    setIsCapturing(true);
    const captured = await controls.capture().catch(() => undefined);
    if (!isShown.current) return;
    setIsCapturing(false);
    if (captured === undefined) return notifyFailure(t('Power BI could not capture the current view'));
    if (isTooLarge(captured.state))
      return notifyFailure(t('The current view is too large to save. Clear some filters.'));
    const scope = isShared ? 'shared' : 'private';
    save.mutate(
      { name: name.trim(), scope, ...captured },
      {
        onSuccess: (view) => {
          notifyDone(t('View “{{name}}” saved', { name: view.name }));
          onSaved(view.id);
          onClose();
        },
      },
    );
  };
  const nameError = save.error instanceof ProblemError ? save.error.of('name') : undefined;
  return (
    <Dialog onClose={onClose} title={t('Save current view')}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <TextInput
            label={t('Name')}
            description={t('Includes filters, slicers, sorting and the active page.')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={200}
            error={nameError}
            required
            data-autofocus
          />
          {canShare && (
            <Switch
              label={t('Share with everyone who can see this report')}
              checked={isShared}
              onChange={(event) => setIsShared(event.currentTarget.checked)}
            />
          )}
          {save.error !== null && nameError === undefined && <ProblemAlert error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={isCapturing || save.isPending} disabled={name.trim() === ''}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
