import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each inviter has an own open invitation to an address; one of an account waits for that person's next request. */
const up = `
DROP INDEX invitations_open_email_key;
CREATE UNIQUE INDEX invitations_open_email_key ON invitations (email, invited_by)
  WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE INDEX invitations_waiting_idx ON invitations (user_id)
  WHERE accepted_at IS NULL AND revoked_at IS NULL AND user_id IS NOT NULL;
`;

const down = `
DROP INDEX invitations_waiting_idx, invitations_open_email_key;
UPDATE invitations later SET revoked_at = now()
WHERE accepted_at IS NULL AND revoked_at IS NULL AND EXISTS (
  SELECT FROM invitations earlier WHERE earlier.email = later.email AND earlier.id < later.id
    AND earlier.accepted_at IS NULL AND earlier.revoked_at IS NULL);
CREATE UNIQUE INDEX invitations_open_email_key ON invitations (email)
  WHERE accepted_at IS NULL AND revoked_at IS NULL;
`;

export class AccountInvitations1796400000002 implements MigrationInterface {
  readonly name = 'AccountInvitations1796400000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
