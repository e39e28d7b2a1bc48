import { Select, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type PlatformRole, platformRoles, type WorkspaceRole, workspaceRoles } from './roles.js';

interface Props<R> {
  label: string;
  value?: R;
  onChange: (role: R) => void;
  error?: ReactNode;
}

interface Role<R> {
  value: R;
  label: string;
  says: string;
}

function RoleSelect<R extends string>({ roles, onChange, ...props }: Props<R> & { roles: Role<R>[] }) {
  const saying = (role: string): string | undefined => roles.find(({ value }) => value === role)?.says;
  return (
    <Select
      {...props}
      data={roles.map(({ value, label }) => ({ value, label }))}
      allowDeselect={false}
      onChange={(role) => role !== null && onChange(role)}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed" maw={240}>
            {saying(option.value)}
          </Text>
        </div>
      )}
    />
  );
}

export const WorkspaceRoleSelect = (props: Props<WorkspaceRole>) => (
  <RoleSelect roles={workspaceRoles} {...props} />
);

export const PlatformRoleSelect = (props: Props<PlatformRole>) => (
  <RoleSelect roles={platformRoles} {...props} />
);
