import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ImageKind } from './default-branding.js';

/** The only row; a column that is null has its default. */
@Entity('branding')
export class Branding {
  @PrimaryColumn('smallint') id!: number;
  @Column('text', { name: 'product_name', nullable: true }) productName!: string | null;

  /** `#rrggbb` in lower case. */
  @Column('text', { name: 'primary_color', nullable: true }) primaryColor!: string | null;

  @Column('text', { name: 'sign_in_text', nullable: true }) signInText!: string | null;
  @Column('text', { name: 'support_url', nullable: true }) supportUrl!: string | null;
  @Column('text', { name: 'sender_name', nullable: true }) senderName!: string | null;
  @Column('timestamptz', { name: 'updated_at', nullable: true }) updatedAt!: Date | null;
}

@Entity('branding_images')
export class BrandingImage {
  @PrimaryColumn('text') kind!: ImageKind;

  /** SHA-256 of the content in hexadecimal: the name of its URL. */
  @Column('text') hash!: string;

  /** Determined from the content. */
  @Column('text', { name: 'media_type' }) mediaType!: string;

  @Column('bytea') content!: Buffer;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
}
