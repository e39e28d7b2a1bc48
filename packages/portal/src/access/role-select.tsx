import { Select, Text } from '@mantine/core';
import { t } from 'i18next';
import type { ReactNode } from 'react';
import { type PlatformRole, platformRoles, rolesOn, type WorkspaceRole, workspaceRoles } from './roles.js';
import type { Target } from './use-grants.js';

interface Props<R> {
  label: string;
  value?: R;
  onChange: (role: R) => void;
  error?: ReactNode;
}

interface Role<R> {
  value: R;
  label: string;
  description: string;
}

function RoleSelect<R extends string>({ roles, onChange, ...props }: Props<R> & { roles: Role<R>[] }) {
  const descriptionOf = (role: string) => roles.find(({ value }) => value === role)?.description;
  return (
    <Select
      {...props}
      data={roles.map(({ value, label }) => ({ value, label: t(label) }))}
      allowDeselect={false}
      onChange={(role) => role !== null && onChange(role)}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed" maw={240}>
            {t(descriptionOf(option.value) ?? '')}
          </Text>
        </div>
      )}
    />
  );
}

export const WorkspaceRoleSelect = (props: Props<WorkspaceRole>) => (
  <RoleSelect roles={workspaceRoles} {...props} />
);

/** The roles that a grant on a workspace or on a report can have. */
export const TargetRoleSelect = ({
  target = 'workspace',
  ...props
}: Props<WorkspaceRole> & { target?: Target['type'] }) => <RoleSelect roles={rolesOn(target)} {...props} />;

export const PlatformRoleSelect = (props: Props<PlatformRole>) => (
  <RoleSelect roles={platformRoles} {...props} />
);
