import { useDebouncedValue } from '@mantine/hooks';
import { IconLayoutGrid, IconReportAnalytics, IconUser } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { api, read } from '../api/client.js';
import type { components } from '../api/schema.js';
import { createElement, type ReactNode } from 'react';
import { workspaces } from '../api/workspace-source.js';
import { NameOf } from '../components/name-of.js';
import { managesAny, useMe } from '../session/use-session.js';
import { adminPagesOf, ownRequests, readerPages } from '../shell/pages.js';

type Found = components['schemas']['SearchResultDto'];

export interface Result {
  to: string;
  name: string;
  /** What tells it from others of the same name. */
  detail: ReactNode;
  icon: ComponentType<{ size?: number }>;
}

const LIMIT = 12;
const MAX_PAGES = 6;

async function find(q: string, signal: AbortSignal): Promise<Found[]> {
  const params = { query: { q, limit: LIMIT } };
  return (await read(api.GET('/api/search', { params, signal }))).results;
}

/** What the person opened last; for a person who opened nothing, the first results of all. */
async function recents(signal: AbortSignal): Promise<Found[]> {
  const { recents: opened } = await read(api.GET('/api/users/me/recents', { signal }));
  if (opened.length === 0) return find('', signal);
  return opened
    .slice(0, LIMIT)
    .map(({ id, name, workspace_id }) => ({ type: 'report', id, name, workspace_id }));
}

/** Portal pages whose name contains the words, in the person's language. */
function usePages(q: string): Result[] {
  const { t } = useTranslation();
  const { data: me } = useMe();
  const words = q.toLocaleLowerCase();
  const others = managesAny(me) ? adminPagesOf(me).flatMap(({ entries }) => entries) : [ownRequests];
  return [...readerPages, ...others]
    .map(({ to, label, icon }) => ({ to, name: t(label), detail: t('Page'), icon }))
    .filter(({ name }) => name.toLocaleLowerCase().includes(words))
    .slice(0, MAX_PAGES);
}

function useResultOf(): (found: Found) => Result {
  const { t } = useTranslation();
  return ({ type, id, name, workspace_id = '', workspace_name, email }) => {
    if (type === 'report') {
      const detail = workspace_name ?? createElement(NameOf, { source: workspaces, id: workspace_id });
      return { to: `/reports/${id}`, name, detail, icon: IconReportAnalytics };
    }
    if (type === 'workspace')
      return { to: `/workspaces/${id}`, name, detail: t('Workspace'), icon: IconLayoutGrid };
    return { to: `/users/${id}`, name, detail: email ?? t('User'), icon: IconUser };
  };
}

/** What the service finds, best matches first, then pages of the portal. Without words, what was opened last. */
export function useResults(text: string) {
  const [q] = useDebouncedValue(text.trim().slice(0, 100), 150);
  const resultOf = useResultOf();
  const pages = usePages(q);
  const search = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => (q === '' ? recents(signal) : find(q, signal)),
    placeholderData: keepPreviousData,
  });
  const found = search.data?.map(resultOf) ?? [];
  return {
    results: [...found, ...pages],
    isSearching: search.isPending || search.isPlaceholderData || q !== text.trim().slice(0, 100),
    error: search.error,
    q,
  };
}
