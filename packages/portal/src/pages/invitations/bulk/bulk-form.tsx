import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { t } from 'i18next';
import { Section } from '../../../components/section.js';
import { isAdmin, type Me } from '../../../session/use-session.js';
import { AccessFields } from '../access-fields.js';
import { type AccessValues, bodyOf, grantRow, accessErrors } from '../access-values.js';
import { inviteAll } from '../use-invitations.js';
import { BulkPreview } from './bulk-preview.js';
import { BulkRun } from './bulk-run.js';
import { MAX_PEOPLE, parseList } from './parse-list.js';

interface Props {
  me: Me;
  onRun: (run: BulkRun) => void;
}

const example = 'ada@example.com\nBen Okafor <ben@example.com>\ncarol@example.com, Carol Diaz';

export function BulkForm({ me, onRun }: Props) {
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, 200);
  const shown = useMemo(() => parseList(settled), [settled]);
  const form = useForm<AccessValues>({
    initialValues: { role: 'member', grants: isAdmin(me) ? [] : [grantRow()], groups: [] },
    validate: (values) => accessErrors(values, isAdmin(me)),
  });
  const count = shown.people.length;
  const isTooMany = count > MAX_PEOPLE;
  const submit = form.onSubmit((access) => {
    const { people } = parseList(text);
    if (people.length === 0 || people.length > MAX_PEOPLE) return;
    onRun(new BulkRun(people, bodyOf(access), inviteAll));
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Section title={t('Users')}>
          <Textarea
            label={t('Email addresses')}
            description={t(
              'One user per line: an email address, a name with an email address, or columns copied from a spreadsheet, best with their header. A column “Role” contains the role of each user. Several addresses in a line are a list.',
            )}
            placeholder={example}
            autosize
            minRows={6}
            maxRows={16}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={
              isTooMany
                ? t('You can invite up to {{max}} users at a time. This list contains {{total}}.', {
                    max: MAX_PEOPLE,
                    total: count,
                  })
                : undefined
            }
          />
          <BulkPreview list={shown} />
        </Section>
        <Section title={t('Access')}>
          <AccessFields form={form} error={null} />
        </Section>
        <Group>
          <Button type="submit" disabled={count === 0 || isTooMany}>
            {count === 0 ? t('Invite') : t('Invite {{count}} users', { count })}
          </Button>
          <Button component={Link} to="/invitations" variant="default">
            {t('Cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
