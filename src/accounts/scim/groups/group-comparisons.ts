import { canonicalName } from '../../../core/validation/text.js';
import { uniqueName } from '../../../access/groups/groups.queries.js';
import { hasScimMember, scimColumns } from '../../../access/groups/scim-groups.queries.js';
import { type Comparison, type Comparisons, id, text } from '../filter.js';

const inLowerCase = text(scimColumns.name, { isCaseless: true });

/** Names are compared as they are for uniqueness. */
const displayName: Comparison = (op, value, parameters) =>
  op === 'eq' && typeof value === 'string'
    ? `${scimColumns.name} = ${uniqueName(`${parameters.add(canonicalName(value))}::text`)}`
    : inLowerCase(op, value, parameters);

const member = id(hasScimMember);

export const groupComparisons: Comparisons = {
  id: id((placeholder) => `${scimColumns.id} = ${placeholder}`),
  displayname: displayName,
  externalid: text(scimColumns.externalId),
  'members.value': member,
  // Microsoft Entra ID checks a reference in this form.
  members: member,
};
