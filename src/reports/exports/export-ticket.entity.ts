import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A link that downloads the file of an export once, without a bearer token. */
@Entity('report_export_tickets')
export class ExportTicket {
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('uuid', { name: 'export_id' })
  exportId!: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
