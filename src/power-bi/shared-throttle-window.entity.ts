import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A throttle window that Power BI set for one replica and that all replicas observe. */
@Entity('power_bi_pauses')
export class SharedThrottleWindow {
  @PrimaryColumn('text') scope!: string;
  @Column('timestamptz') until!: Date;
  @Column('integer') status!: number;
}

/** A rate-limited call, made by any replica. */
@Entity('power_bi_calls')
export class SharedCall {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') scope!: string;
  @Column('timestamptz') at!: Date;
}
