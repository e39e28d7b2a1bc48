import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EmbedAccess } from './dto/embed-token.dto.js';

/** An issued embed token: its user, report, access and effective identity. */
@Entity('issued_tokens')
export class IssuedEmbedToken {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'token_id' }) tokenId!: string;
  @Column('uuid', { name: 'user_id' }) userId!: string;
  @Column('uuid', { name: 'report_id' }) reportId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text') access!: EmbedAccess;
  @Column('jsonb', { nullable: true }) identity!: { username: string; roles: string[] } | null;
  @Column('timestamptz', { name: 'issued_at' }) issuedAt!: Date;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;

  /** Number of times the token was returned to the user: once when issued, then for each reuse. */
  @Column('integer', { name: 'times_issued', default: 1 }) timesIssued!: number;

  @Column('timestamptz', { name: 'last_issued_at' }) lastIssuedAt!: Date;
  @Column('text', { nullable: true }) ip!: string | null;
  @Column('text', { name: 'request_id', nullable: true }) requestId!: string | null;
}
