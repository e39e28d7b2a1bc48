import { Problem } from '../common/problem.js';

export class DatasetNotFound extends Problem {
  constructor() {
    super('dataset_not_found', 'No dataset has this id.');
  }
}

export class SyncNotFound extends Problem {
  constructor() {
    super('sync_not_found', 'No sync run has this id.');
  }
}
