import { ActionIcon, Alert, Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from 'i18next';
import { ExpiryInput } from '../../access/expiry-input.js';
import { PlatformRoleSelect, TargetRoleSelect } from '../../access/role-select.js';
import type { Target } from '../../access/use-grants.js';
import { ProblemError } from '../../api/problem.js';
import { groups } from '../../api/sources.js';
import { RemoteMultiSelect } from '../../components/remote-multi-select.js';
import { ReportPicker } from '../../components/report-picker.js';
import { msg } from '../../i18n/index.js';
import { isAdmin, useMe } from '../../session/use-session.js';
import { type AccessValues, grantRow, pointerOf } from './access-values.js';
import { InvitingPicker } from './managed-workspaces.js';

interface Props {
  form: UseFormReturnType<AccessValues>;
  error: unknown;
}

const pickers = {
  workspace: {
    label: msg('Workspace'),
    legend: msg('Workspace {{number}}'),
    remove: msg('Remove workspace {{number}}'),
    add: msg('Add workspace'),
    role: msg('Role in the workspace'),
    Picker: InvitingPicker,
    id: 'workspace_id',
  },
  report: {
    label: msg('Report'),
    legend: msg('Report {{number}}'),
    remove: msg('Remove report {{number}}'),
    add: msg('Add report'),
    role: msg('Role on the report'),
    Picker: ReportPicker,
    id: 'report_id',
  },
};

function GrantFields({ form, error, index, isAdded }: Props & { index: number; isAdded: boolean }) {
  const at = `grants.${index}`;
  const row = form.values.grants[index];
  if (row === undefined) return null;
  const { label, legend, remove, role, Picker, id } = pickers[row.type];
  const errorOf = (member: string): string | undefined =>
    error instanceof ProblemError ? error.of(pointerOf(form.values, index, member)) : undefined;
  const target = form.getInputProps(`${at}.targetId`);
  const expires = form.getInputProps(`${at}.expires`);
  return (
    <Fieldset legend={t(legend, { number: index + 1 })} p="sm">
      <Stack gap="xs">
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <div style={{ flex: 1 }}>
            <Picker
              label={t(label)}
              required
              autoFocus={isAdded}
              value={row.targetId}
              onChange={target.onChange}
              error={target.error ?? errorOf(id)}
            />
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="input-sm"
            aria-label={t(remove, { number: index + 1 })}
            onClick={() => form.removeListItem('grants', index)}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
        <Group grow align="flex-start" gap="xs">
          <TargetRoleSelect target={row.type} label={t(role)} {...form.getInputProps(`${at}.role`)} />
          <ExpiryInput {...expires} error={expires.error ?? errorOf('expires_at')} />
        </Group>
      </Stack>
    </Fieldset>
  );
}

/** The access that an invitation confers, for one user or for all users of a list. */
export function AccessFields({ form, error }: Props) {
  const { data: me } = useMe();
  const [addedKey, setAddedKey] = useState<number>();
  const { grants, groups: memberships, role } = form.values;
  const seesNothing = role === 'member' && grants.length === 0 && memberships.length === 0;
  const add = (type: Target['type']): void => {
    const row = grantRow(type);
    setAddedKey(row.key);
    form.insertListItem('grants', row);
  };
  return (
    <Stack gap="sm">
      {isAdmin(me) && <PlatformRoleSelect label={t('Role in the portal')} {...form.getInputProps('role')} />}
      {grants.map(({ key }, index) => (
        <GrantFields key={key} form={form} error={error} index={index} isAdded={key === addedKey} />
      ))}
      {form.errors.grants !== undefined && (
        <Text size="sm" c="red" role="alert">
          {form.errors.grants}
        </Text>
      )}
      <Group gap="xs">
        {(['workspace', 'report'] as const).map((type) => (
          <Button key={type} variant="default" size="compact-sm" onClick={() => add(type)}>
            {t(pickers[type].add)}
          </Button>
        ))}
      </Group>
      {isAdmin(me) && (
        <RemoteMultiSelect
          label={t('Groups (optional)')}
          placeholder={t('Search groups')}
          source={groups}
          value={form.values.groups}
          onChange={(chosen) => form.setFieldValue('groups', chosen)}
        />
      )}
      {isAdmin(me) && seesNothing && (
        <Alert color="orange" variant="light" role="status">
          {t('No workspace, report or group selected. Without access, invited users see no reports.')}
        </Alert>
      )}
    </Stack>
  );
}
