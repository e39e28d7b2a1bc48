import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, read } from '../../api/client.js';
import { Confirm } from '../../components/confirm.js';
import { notifyDone } from '../../components/notify.js';
import type { Dataset } from './dataset-words.js';
import { keepDataset } from './keep-dataset.js';

interface Props {
  dataset: Dataset;
  asks: boolean;
  onAsk: (asks: boolean) => void;
}

export function RemovePolicy({ dataset: { id, name, identity_required: required }, asks, onAsk }: Props) {
  const close = () => onAsk(false);
  const remove = useMutation({
    mutationFn: () => read(api.DELETE('/api/datasets/{id}/identity-policy', { params: { path: { id } } })),
    onSuccess: (dataset) => {
      notifyDone('The policy is removed.');
      close();
      return keepDataset(dataset);
    },
  });
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => onAsk(true)}>
        Remove policy
      </Button>
      <Confirm
        title="Remove the policy?"
        action="Remove policy"
        opened={asks}
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={close}
      >
        {required === true
          ? `“${name}” asks who is looking: its reports open for nobody until there is a policy again.`
          : `No identity is sent for “${name}” any more.`}
      </Confirm>
    </>
  );
}
