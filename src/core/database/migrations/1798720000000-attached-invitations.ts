import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The account whose owner asked to attach an invitation that was sent to another address. */
export class AttachedInvitations1798720000000 implements MigrationInterface {
  readonly name = 'AttachedInvitations1798720000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE invitations ADD COLUMN attach_user_id uuid
         CONSTRAINT invitations_attach_user_id_fkey REFERENCES users`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE invitations DROP COLUMN attach_user_id');
  }
}
