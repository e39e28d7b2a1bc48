import { Anchor, Table } from '@mantine/core';
import { Link } from 'react-router';
import { t } from 'i18next';
import { HiddenHeader } from '../components/hidden-header.js';
import { Time } from '../components/time.js';
import { WideTable } from '../components/wide-table.js';
import { GrantActions } from './grant-actions.js';
import { GrantSource, Through } from './grant-source.js';
import type { Grant } from './held-grants.js';
import { roleName } from './roles.js';

interface Props {
  grants: Grant[];
  onChange: (grant: Grant) => void;
  onRemove: (grant: Grant) => void;
}

/** A grant of a group is changed on the page of its workspace or report. */
const canChange = ({ source, path }: Grant): boolean => source === 'manual' && path.length === 0;

/** A holder has one grant of each source on a target, and one through each group. */
const keyOf = ({ workspace_id, report_id, source, path }: Grant): string =>
  [workspace_id, report_id, source, ...path].join();

const Target = ({ grant }: { grant: Grant }) => (
  <>
    <Anchor component={Link} to={`/workspaces/${grant.workspace_id}`}>
      {grant.workspace_name}
    </Anchor>
    {grant.report_id !== null && (
      <>
        {' › '}
        <Anchor component={Link} to={`/reports/${grant.report_id}`}>
          {grant.report_name}
        </Anchor>
      </>
    )}
  </>
);

export const GrantsTable = ({ grants, onChange, onRemove }: Props) => (
  <WideTable minWidth={640}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Workspace or report')}</Table.Th>
          <Table.Th>{t('Role')}</Table.Th>
          <Table.Th>{t('Through')}</Table.Th>
          <Table.Th>{t('Source')}</Table.Th>
          <Table.Th>{t('Expires')}</Table.Th>
          <HiddenHeader label={t('Actions')} className="row-actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {grants.map((grant) => (
          <Table.Tr key={keyOf(grant)}>
            <Table.Td>
              <Target grant={grant} />
            </Table.Td>
            <Table.Td>{roleName(grant.role)}</Table.Td>
            <Table.Td>
              <Through path={grant.path} />
            </Table.Td>
            <Table.Td>
              <GrantSource source={grant.source} />
            </Table.Td>
            <Table.Td>
              <Time at={grant.expires_at} none={t('Never')} />
            </Table.Td>
            <Table.Td className="row-actions">
              {canChange(grant) && (
                <GrantActions
                  of={grant.report_name ?? grant.workspace_name}
                  onChange={() => onChange(grant)}
                  onRemove={() => onRemove(grant)}
                />
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);
