import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuditAction } from './audit-actions.js';

export const auditOutcomes = ['allowed', 'denied', 'failed'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

export const auditTargetTypes = [
  'user',
  'group',
  'service_account',
  'session',
  'invitation',
  'workspace',
  'report',
  'dataset',
  'sync',
  'embed_revocation',
  'settings',
  'webhook',
] as const;
export type AuditTargetType = (typeof auditTargetTypes)[number];

@Entity('audit_events')
export class AuditEvent {
  @PrimaryColumn('uuid') id!: string;
  @PrimaryColumn('timestamptz') at!: Date;
  @Column('text') action!: AuditAction;
  @Column('text') outcome!: AuditOutcome;

  /** An id only: a person can be erased without changing the audit trail. */
  @Column('uuid', { name: 'actor_id', nullable: true }) actorId!: string | null;

  @Column('text', { name: 'target_type', nullable: true }) targetType!: AuditTargetType | null;
  @Column('text', { name: 'target_id', nullable: true }) targetId!: string | null;
  @Column('text', { nullable: true }) ip!: string | null;
  @Column('text', { name: 'user_agent', nullable: true }) userAgent!: string | null;
  @Column('text', { name: 'request_id', nullable: true }) requestId!: string | null;
  @Column('jsonb') details!: Record<string, unknown>;
}
