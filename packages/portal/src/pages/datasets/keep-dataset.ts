import { queryClient } from '../../api/query-client.js';
import type { Dataset } from './dataset-texts.js';

/** Shows the saved dataset in the editor at once, and in the lists after a reload. */
export function keepDataset(dataset: Dataset): Promise<void> {
  queryClient.setQueryData(['datasets', 'one', dataset.id], dataset);
  return queryClient.invalidateQueries({ queryKey: ['datasets'] });
}
