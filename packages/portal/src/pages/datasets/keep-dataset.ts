import { queryClient } from '../../api/query-client.js';
import type { Dataset } from './dataset-words.js';

/** What was answered is what the editor shows at once, and the lists when they were read again. */
export function keepDataset(dataset: Dataset): Promise<void> {
  queryClient.setQueryData(['datasets', 'one', dataset.id], dataset);
  return queryClient.invalidateQueries({ queryKey: ['datasets'] });
}
