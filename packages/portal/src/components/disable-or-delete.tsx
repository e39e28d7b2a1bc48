import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { t } from 'i18next';
import { useState } from 'react';
import { Confirm } from './confirm.js';
import { notifyDone, notifyProblem } from './notify.js';
import { Section } from './section.js';
import { useShowList } from './use-show-list.js';

/** Changes the status of the resource. */
interface Change {
  mutate: (
    change: { status: 'active' | 'disabled' },
    options: { onSuccess: () => void; onError?: (error: Error) => void },
  ) => void;
  isPending: boolean;
  error: Error | null;
  reset: () => void;
}

interface Question {
  title: string;
  /** What will happen. */
  text: string;
  /** Shown when it is done. */
  done: string;
}

interface Props {
  lead?: string;
  isActive: boolean;
  /** A hook: each use has a state of its own. */
  useChange: () => Change;
  enabled: string;
  disabling: Question;
  deleting: Question;
  remove: () => Promise<unknown>;
  /** The list that is shown after the deletion, and its refresh. */
  list: string;
  changed: () => Promise<unknown>;
}

type DialogProps = Props & { onClose: () => void };

function Disable({ useChange, disabling: { title, text, done }, onClose }: DialogProps) {
  const change = useChange();
  const onSuccess = (): void => {
    notifyDone(done);
    onClose();
  };
  return (
    <Confirm
      title={title}
      action={t('Disable')}
      opened
      change={change}
      onConfirm={() => change.mutate({ status: 'disabled' }, { onSuccess })}
      onClose={onClose}
    >
      {text}
    </Confirm>
  );
}

function Delete({ deleting: { title, text, done }, remove, list, changed, onClose }: DialogProps) {
  const showList = useShowList(list);
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      notifyDone(done);
      await showList();
      await changed();
    },
  });
  return (
    <Confirm
      title={title}
      action={t('Delete permanently')}
      opened
      change={removal}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      {text}
    </Confirm>
  );
}

/** Disables or enables a resource, or deletes it, after a confirmation. */
export function DisableOrDelete(props: Props) {
  const { lead, isActive, useChange, enabled } = props;
  const [confirming, setConfirming] = useState<'disable' | 'delete'>();
  const enabling = useChange();
  const enable = () =>
    enabling.mutate({ status: 'active' }, { onSuccess: () => notifyDone(enabled), onError: notifyProblem });
  const onClose = () => setConfirming(undefined);
  return (
    <Section title={t('Disable or delete')} lead={lead}>
      <Group>
        {isActive ? (
          <Button color="red" variant="light" onClick={() => setConfirming('disable')}>
            {t('Disable')}
          </Button>
        ) : (
          <Button variant="default" loading={enabling.isPending} onClick={enable}>
            {t('Enable')}
          </Button>
        )}
        <Button color="red" variant="outline" onClick={() => setConfirming('delete')}>
          {t('Delete')}
        </Button>
      </Group>
      {confirming === 'disable' && <Disable {...props} onClose={onClose} />}
      {confirming === 'delete' && <Delete {...props} onClose={onClose} />}
    </Section>
  );
}
