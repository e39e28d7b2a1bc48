import { t } from 'i18next';
import type { ReactNode } from 'react';
import { keyOf } from '../access/holder.js';
import { NameOf } from '../components/name-of.js';
import { msg } from '../i18n/index.js';
import { api, read } from './client.js';
import type { components } from './schema.js';
import { choicesOf, path, workspaces } from './workspace-source.js';

type Schemas = components['schemas'];

export interface Choice {
  id: string;
  name: string;
  /** Distinguishes it from others with the same name. */
  detail?: ReactNode;
  isServiceAccount?: boolean;
  /** Of a person, where access is shared by email. */
  email?: string;
  /** How the list offers it, if not by its name. */
  offer?: string;
  /** What is chosen instead of it. */
  parts?: Choice[];
}

export interface Choices {
  found: Choice[];
  /** Whether more match. */
  more: boolean;
}

interface SearchOptions {
  q?: string;
  limit: number;
  signal?: AbortSignal;
}

/** Searches resources of one kind and reads one by its id. */
export interface Source {
  /** The first part of its query keys. */
  kind: string;
  /** Marked with `msg()`. */
  nothingFound: string;
  search: (options: SearchOptions) => Promise<Choices>;
  get: (id: string, signal: AbortSignal) => Promise<Choice>;
}

const person = ({ id, name, email }: Schemas['UserDto']): Choice => ({
  id,
  name,
  detail: email ?? t('Service account'),
});

export const users: Source = {
  kind: 'users',
  nothingFound: msg('No users match'),
  search: ({ q, limit, signal }) =>
    choicesOf(
      api.GET('/api/users', { params: { query: { q, limit, sort: 'email', kind: 'person' } }, signal }),
      (page) => page.users,
      person,
    ),
  get: async (id, signal) => person(await read(api.GET('/api/users/{id}', { params: path(id), signal }))),
};

const account = ({ id, name }: Pick<Schemas['ServiceAccountDto'], 'id' | 'name'>): Choice => ({
  id,
  name,
  detail: t('Service account'),
  isServiceAccount: true,
});

export const serviceAccounts: Source = {
  kind: 'service-accounts',
  nothingFound: msg('No service accounts match'),
  search: ({ q, limit, signal }) =>
    choicesOf(
      api.GET('/api/service-accounts', { params: { query: { q, limit, sort: 'email' } }, signal }),
      (page) => page.service_accounts,
      account,
    ),
  get: async (id, signal) =>
    account(await read(api.GET('/api/service-accounts/{id}', { params: path(id), signal }))),
};

/** Users and service accounts. */
export const principals: Source = {
  kind: 'principals',
  nothingFound: msg('No users or service accounts match'),
  search: async (options) => {
    const [people, programs] = await Promise.all([users.search(options), serviceAccounts.search(options)]);
    return { found: [...people.found, ...programs.found], more: people.more || programs.more };
  },
  get: users.get,
};

const group = ({ id, name, member_count }: Schemas['GroupDto']): Choice => ({
  id,
  name,
  detail: t('Group with {{count}} members', { count: member_count }),
});

export const groups: Source = {
  kind: 'groups',
  nothingFound: msg('No groups match'),
  search: ({ q, limit, signal }) =>
    choicesOf(
      api.GET('/api/groups', { params: { query: { q, limit, sort: 'name' } }, signal }),
      (page) => page.groups,
      group,
    ),
  get: async (id, signal) => group(await read(api.GET('/api/groups/{id}', { params: path(id), signal }))),
};

const keyed = (type: 'user' | 'group', choices: Choice[]): Choice[] =>
  choices.map((choice) => ({ ...choice, id: keyOf({ type, id: choice.id }) }));

/** What a group can contain: people, service accounts and other groups; the ids are those of `holderOf`. */
export const groupMembersFor = (groupId: string): Source => ({
  kind: `members-for-${groupId}`,
  nothingFound: msg('No users or groups match'),
  search: async (options) => {
    const [people, found] = await Promise.all([principals.search(options), groups.search(options)]);
    const others = found.found.filter(({ id }) => id !== groupId);
    return {
      found: [...keyed('group', others), ...keyed('user', people.found)],
      more: people.more || found.more,
    };
  },
  get: (key) => Promise.resolve({ id: key, name: key }),
});

/** The people and groups to which the caller can grant access in a workspace; the ids are those of `holderOf`. */
export function candidatesIn(workspaceId: string): Source {
  const known = new Map<string, Choice>();
  return {
    kind: `candidates-in-${workspaceId}`,
    nothingFound: msg('No users or groups match. Invite new users by email.'),
    search: async ({ q, limit, signal }) => {
      const query = { q, limit: Math.min(limit, 100) };
      const { candidates } = await read(
        api.GET('/api/workspaces/{id}/candidates', { params: { ...path(workspaceId), query }, signal }),
      );
      const found = candidates.map(({ type, id, name, email, member_count }) => ({
        id: keyOf({ type, id }),
        name,
        email: email ?? undefined,
        detail:
          member_count === null
            ? (email ?? t('Service account'))
            : t('Group with {{count}} members', { count: member_count }),
      }));
      for (const choice of found) known.set(choice.id, choice);
      return { found, more: found.length === query.limit };
    },
    // Managers cannot read a user or a group by its id: a chosen one was found before.
    get: (key) => Promise.resolve(known.get(key) ?? { id: key, name: key }),
  };
}

const within = ({ id, name, workspace_id }: Schemas['ReportDto'] | Schemas['DatasetDto']): Choice => ({
  id,
  name,
  detail: <NameOf source={workspaces} id={workspace_id} />,
});

export const reports: Source = {
  kind: 'reports',
  nothingFound: msg('No reports match'),
  search: ({ q, limit, signal }) =>
    choicesOf(
      api.GET('/api/reports', { params: { query: { q, limit, sort: 'name' } }, signal }),
      (page) => page.reports,
      within,
    ),
  get: async (id, signal) => within(await read(api.GET('/api/reports/{id}', { params: path(id), signal }))),
};

/** The members of one workspace, for its managers. */
export const membersOf = (workspaceId: string): Source => {
  const member = ({ user_id, name, email }: Schemas['MemberDto']): Choice => ({
    id: user_id,
    name,
    detail: email ?? t('Service account'),
  });
  const search: Source['search'] = ({ q, limit, signal }) =>
    choicesOf(
      api.GET('/api/workspaces/{id}/members', {
        params: { ...path(workspaceId), query: { q, limit, sort: 'email' } },
        signal,
      }),
      (page) => page.members,
      member,
    );
  return {
    kind: `members-of-${workspaceId}`,
    nothingFound: msg('No members match'),
    search,
    get: async (id, signal) => {
      const { found } = await search({ limit: 1000, signal });
      return found.find((each) => each.id === id) ?? { id, name: id };
    },
  };
};

export const datasets: Source = {
  kind: 'datasets',
  nothingFound: msg('No datasets match'),
  search: ({ q, limit, signal }) =>
    choicesOf(
      api.GET('/api/datasets', { params: { query: { q, limit, sort: 'name' } }, signal }),
      (page) => page.datasets,
      within,
    ),
  get: async (id, signal) => within(await read(api.GET('/api/datasets/{id}', { params: path(id), signal }))),
};
