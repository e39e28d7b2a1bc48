import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from './event-types.js';

/** An event of the outbox, in monthly partitions. */
@Entity('events')
export class StoredEvent {
  @PrimaryColumn('uuid') id!: string;

  /** Null until its transaction is committed. PostgreSQL's bigint is read as text. */
  @Column('bigint', { nullable: true }) seq!: string | null;

  /** Order in which events were inserted. */
  @Column({ type: 'bigint', insert: false, update: false }) position!: string;

  @Column('text') type!: EventType;
  @Column('text') subject!: string;
  @Column('jsonb') data!: object;
  @Column('timestamptz') at!: Date;
}

/** The last assigned seq, in one row. */
@Entity('event_sequence')
export class EventSequence {
  @PrimaryColumn('integer') id!: number;
  @Column('bigint', { name: 'last_seq' }) lastSeq!: string;
}
