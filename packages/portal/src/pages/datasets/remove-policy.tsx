import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import { Confirm } from '../../components/confirm.js';
import { notifyDone } from '../../components/notify.js';
import type { Dataset } from './dataset-texts.js';
import { keepDataset } from './keep-dataset.js';

interface Props {
  dataset: Dataset;
  onRemoved: () => void;
}

export function RemovePolicy({ dataset, onRemoved }: Props) {
  const { id, name, identity_required: required } = dataset;
  const [asks, { open, close }] = useDisclosure();
  const remove = useMutation({
    mutationFn: () => read(api.DELETE('/api/datasets/{id}/identity-policy', { params: { path: { id } } })),
    onSuccess: (dataset) => {
      notifyDone(t('Policy removed.'));
      close();
      onRemoved();
      return keepDataset(dataset);
    },
  });
  return (
    <>
      <Button variant="subtle" color="red" onClick={open}>
        {t('Remove policy')}
      </Button>
      <Confirm
        title={t('Remove policy?')}
        action={t('Remove policy')}
        opened={asks}
        change={remove}
        onConfirm={() => remove.mutate()}
        onClose={close}
      >
        {required === true
          ? t("{{name}} has row-level security. Its reports can't be opened until you set a policy again.", {
              name,
            })
          : t('No identity will be sent to Power BI for {{name}}.', { name })}
      </Confirm>
    </>
  );
}
