import type { StoredContent } from './catalogue-reconciliation.service.js';
import type { ListedWorkspace } from './workspace-listing.service.js';

const CHUNK_SIZE = 100;

/** Stored content of listed workspaces, loaded on first use in chunks of CHUNK_SIZE. */
export class StoredSnapshot {
  private readonly chunks = new Map<number, Promise<ReadonlyMap<string, StoredContent>>>();

  constructor(
    private readonly listed: readonly ListedWorkspace[],
    private readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, StoredContent>>,
  ) {}

  async at(position: number): Promise<StoredContent | undefined> {
    const first = position - (position % CHUNK_SIZE);
    const ids = this.listed.slice(first, first + CHUNK_SIZE).map(({ pbiWorkspaceId }) => pbiWorkspaceId);
    const chunk = this.chunks.get(first) ?? this.read(ids);
    this.chunks.set(first, chunk);
    return (await chunk).get(this.listed[position]?.pbiWorkspaceId ?? '');
  }
}
