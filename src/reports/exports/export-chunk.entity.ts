import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An encrypted part of the file of an export. */
@Entity('report_export_chunks')
export class ExportChunk {
  @PrimaryColumn('uuid', { name: 'export_id' })
  exportId!: string;

  @PrimaryColumn('integer')
  position!: number;

  @Column('bytea')
  sealed!: Buffer;
}
