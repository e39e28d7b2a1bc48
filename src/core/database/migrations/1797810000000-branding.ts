import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The files are in the database, so that every replica and each backup has them. */
export class Branding1797810000000 implements MigrationInterface {
  readonly name = 'Branding1797810000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE branding (
        id smallint CONSTRAINT branding_pkey PRIMARY KEY CONSTRAINT branding_one_row CHECK (id = 1),
        product_name text,
        primary_color text CONSTRAINT branding_primary_color CHECK (primary_color ~ '^#[0-9a-f]{6}$'),
        sign_in_text text,
        support_url text,
        sender_name text,
        updated_at timestamptz
      );
      INSERT INTO branding (id) VALUES (1);
      CREATE TABLE branding_images (
        kind text CONSTRAINT branding_images_pkey PRIMARY KEY
          CONSTRAINT branding_images_kind CHECK (kind IN ('logo', 'logo-dark', 'favicon')),
        hash text NOT NULL,
        media_type text NOT NULL,
        content bytea NOT NULL CONSTRAINT branding_images_size CHECK (octet_length(content) <= 262144),
        updated_at timestamptz NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE branding, branding_images');
  }
}
