import { randomUUID } from 'node:crypto';
import type { Workspace } from '../content/model.js';
import type { EmbedGrant } from '../embed/embed-token.js';
import { sealEmbedToken } from '../embed/embed-token.js';
import type { Emulator } from '../emulator.js';
import type { Principal } from './bearer.js';
import { coded, invalidRequest, notAuthorized, PowerBiError } from './power-bi-error.js';
import { isVisible, personal, rightIn } from './rights.js';

export interface EmbedToken {
  token: string;
  tokenId: string;
  expiration: string;
}

/** What a token grants access to. */
export type TokenContent = Omit<EmbedGrant, 'tokenId' | 'clientId' | 'upn'>;

/** The documentation requires Member; third parties disagree about Contributor and Viewer. Throws PowerBiError. */
export function checkMayEmbed(emulator: Emulator, principal: Principal, workspace: Workspace): void {
  if (workspace.type === 'PersonalGroup') throw personal(emulator);
  if (!isVisible(emulator, workspace, principal)) throw notAuthorized();
  const right = rightIn(emulator, workspace, principal);
  if (right === 'Viewer' && emulator.guess('viewer_generate_token') === '401') throw notAuthorized();
  if (right === 'Contributor' && emulator.guess('contributor_generate_token') === '401')
    throw notAuthorized();
}

/** Shared capacity issues an undisclosed number of trial tokens and then refuses. Throws PowerBiError. */
export function spendQuota(emulator: Emulator, workspaces: Workspace[]): void {
  if (workspaces.every((each) => each.capacityId !== undefined)) return;
  const quota = emulator.settings.shared_capacity_quota;
  if (quota !== null && emulator.sharedCapacityTokens >= quota) throw quotaSpent(emulator);
  emulator.sharedCapacityTokens += 1;
}

function quotaSpent(emulator: Emulator): PowerBiError {
  const message =
    'You have exceeded the amount of embed token that can be generated on a shared or ProPlus capacity. ' +
    'You need to purchase Azure capacities to generate embed tokens. ' +
    'See https://go.microsoft.com/fwlink/?linkid=868976';
  if (emulator.guess('quota_refusal') === 'coded') return coded(403, 'Forbidden', message);
  return new PowerBiError(403, { Message: message });
}

/** An embed token never outlives the Entra token of the call, and a requested lifetime only shortens it. */
export function expiryOf(emulator: Emulator, principal: Principal, minutes: unknown): number {
  if (minutes === undefined || minutes === null || minutes === 0) return principal.expires;
  if (typeof minutes !== 'number' || !Number.isInteger(minutes)) throw badLifetime();
  if (minutes < 0) {
    if (emulator.guess('negative_lifetime') === '400') throw badLifetime();
    return principal.expires;
  }
  const wished = emulator.clock.seconds() + minutes * 60;
  if (wished > principal.expires && emulator.guess('excessive_lifetime') === '400') throw badLifetime();
  return Math.min(wished, principal.expires);
}

export async function issue(
  emulator: Emulator,
  { clientId, upn }: Principal,
  content: TokenContent,
  expires: number,
): Promise<EmbedToken> {
  const tokenId = randomUUID();
  const holder = { clientId, ...(upn && { upn }) };
  const token = await sealEmbedToken(emulator, { ...content, ...holder, tokenId }, expires);
  return { token, tokenId, expiration: `${new Date(expires * 1000).toISOString().slice(0, 19)}Z` };
}

function badLifetime(): Error {
  return invalidRequest('Parameter lifetimeInMinutes is missing or invalid');
}
