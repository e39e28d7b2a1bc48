// SQL, because an export reads each of these by a cursor.
import type { EntityManager } from 'typeorm';
import {
  type ErasedPerson,
  type PersonalData,
  recordedOnly,
  rowsById,
} from '../../core/database/personal-data.js';
import { Grant } from './grant.entity.js';
import { lockGrantsOf } from './stored-grants.queries.js';

const exported = 'source, role, expires_at, granted_by, created_at';

async function eraseGrants(tx: EntityManager, { id }: ErasedPerson): Promise<void> {
  await lockGrantsOf(tx, { type: 'user', id });
  await tx.delete(Grant, { userId: id });
}

export const personalData: PersonalData[] = [
  {
    table: 'grants',
    columns: ['user_id'],
    holds: 'who has access to a workspace',
    export: {
      section: 'workspace_grants',
      rows: rowsById(`SELECT workspace_id, ${exported} FROM grants WHERE user_id = $1 AND report_id IS NULL`),
    },
    erasure: { does: 'delete', run: eraseGrants },
  },
  {
    table: 'grants',
    columns: ['report_id'],
    holds: 'who has access to a report',
    export: {
      section: 'report_grants',
      rows: rowsById(
        `SELECT report_id, workspace_id, ${exported} FROM grants WHERE user_id = $1 AND report_id IS NOT NULL`,
      ),
    },
    erasure: { does: 'delete' },
  },
  recordedOnly('grants', ['granted_by'], 'who gave access to others'),
];
