import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A pause that Power BI asked one replica for and that all keep. */
@Entity('power_bi_pauses')
export class SharedThrottleWindow {
  @PrimaryColumn('text')
  scope!: string;

  @Column('timestamptz')
  until!: Date;

  @Column('integer')
  status!: number;
}

/** A call whose number Microsoft limits, whichever replica made it. */
@Entity('power_bi_calls')
export class SharedCall {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  scope!: string;

  @Column('timestamptz')
  at!: Date;
}
