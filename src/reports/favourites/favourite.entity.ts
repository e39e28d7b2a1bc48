import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('favourites')
export class Favourite {
  @PrimaryColumn('uuid', { name: 'user_id' }) userId!: string;
  @PrimaryColumn('uuid', { name: 'report_id' }) reportId!: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}
