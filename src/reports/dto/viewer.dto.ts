import { ListQuery } from '../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../core/lists/pagination.js';
import type { WorkspaceRole } from '../../access/grants/grant.js';
import type { ViewerRow } from '../viewers.queries.js';

export const viewerSortKeys: SortKeys<ViewerRow> = {
  name: { sql: 'name_key', of: (viewer) => viewer.nameKey },
};

export class ListViewersQuery extends ListQuery {
  @SortedBy(viewerSortKeys)
  sort: string = 'name';
}

/** A viewer with the names of the groups through which they see the report. */
export interface Viewer {
  row: ViewerRow;
  path: readonly string[];
}

export class ViewerDto {
  user_id!: string;
  name!: string;
  /** Null for a service account. */
  email!: string | null;
  /** The strongest role in the workspace or on the report; `admin` for admins, who see every report. */
  role!: WorkspaceRole | 'admin';
  /**
   * Names of the groups from the one that holds the grant to the one that contains the person; empty for a grant of their
   * own.
   */
  path!: string[];

  static from({ row: { id, name, email, role }, path }: Viewer): ViewerDto {
    return { user_id: id, name, email, role, path: [...path] };
  }
}

export class ViewerListDto {
  viewers!: ViewerDto[];
}
