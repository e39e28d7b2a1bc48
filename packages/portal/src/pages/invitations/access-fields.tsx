import { ActionIcon, Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconX } from '@tabler/icons-react';
import { EndsInput } from '../../access/ends-input.js';
import { PlatformRoleSelect, WorkspaceRoleSelect } from '../../access/role-select.js';
import { ProblemError } from '../../api/problem.js';
import { isAdmin, useMe } from '../../session/use-session.js';
import { type AccessValues, grantRow } from './access-values.js';
import { InvitingPicker } from './managed-workspaces.js';

interface Props {
  form: UseFormReturnType<AccessValues>;
  error: unknown;
}

function GrantFields({ form, error, index }: Props & { index: number }) {
  const at = `grants.${index}`;
  const wrong = (member: string): string | undefined =>
    error instanceof ProblemError ? error.of(`workspaces/${index}/${member}`) : undefined;
  const workspace = form.getInputProps(`${at}.workspaceId`);
  const ends = form.getInputProps(`${at}.ends`);
  return (
    <Fieldset legend={`Workspace ${index + 1}`} p="sm">
      <Stack gap="xs">
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <div style={{ flex: 1 }}>
            <InvitingPicker
              label="Workspace"
              required
              value={form.values.grants[index]?.workspaceId ?? null}
              onChange={workspace.onChange}
              error={workspace.error ?? wrong('workspace_id')}
            />
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="input-sm"
            aria-label={`Leave workspace ${index + 1} out`}
            onClick={() => form.removeListItem('grants', index)}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
        <Group grow align="flex-start" gap="xs">
          <WorkspaceRoleSelect label="Role" {...form.getInputProps(`${at}.role`)} />
          <EndsInput {...ends} error={ends.error ?? wrong('expires_at')} />
        </Group>
      </Stack>
    </Fieldset>
  );
}

/** What the invited may see from the start: for one, or for everybody on a list. */
export function AccessFields({ form, error }: Props) {
  const { data: me } = useMe();
  const { grants } = form.values;
  return (
    <Stack gap="sm">
      {isAdmin(me) && <PlatformRoleSelect label="Role" {...form.getInputProps('role')} />}
      {grants.map(({ key }, index) => (
        <GrantFields key={key} form={form} error={error} index={index} />
      ))}
      {form.errors.grants !== undefined && (
        <Text size="sm" c="red" role="alert">
          {form.errors.grants}
        </Text>
      )}
      <Group>
        <Button variant="default" size="compact-sm" onClick={() => form.insertListItem('grants', grantRow())}>
          Add a workspace
        </Button>
      </Group>
    </Stack>
  );
}
