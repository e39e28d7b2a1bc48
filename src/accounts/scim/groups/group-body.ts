import type { ScimGroupChange } from '../../../access/groups/scim-groups.service.js';
import { attributesOf, displayNameOf, externalIdOf, memberIdsOf } from './group-values.js';

/**
 * Reads the body of POST (`isReplaced` false) and PUT. Attributes that groups do not have are ignored; without `members`
 * the members stay as they are, and without `externalId` the link to the provider.
 */
export function groupBody(body: unknown, isReplaced: boolean): ScimGroupChange & { name: string } {
  const attributes = attributesOf(body);
  const externalId = attributes.get('externalid');
  return {
    name: displayNameOf(attributes.get('displayname')),
    ...(externalId !== undefined && { externalId: externalIdOf(externalId) }),
    ...(attributes.has('members') && {
      members: { isReplaced, added: memberIdsOf(attributes.get('members')), removed: [] },
    }),
  };
}
