import type { ScimGroupChange } from '../../../access/groups/scim-groups.service.js';
import { isExternalId, isName, MAX_EXTERNAL_ID, toUuid } from '../../../core/validation/text.js';
import { GROUP_SCHEMA } from '../schemas.js';
import { invalid } from '../scim.errors.js';
import { valueOf } from '../single-value.js';

const prefix = `${GROUP_SCHEMA.toLowerCase()}:`;

/** The name of an attribute in lower case and without its schema: clients send both forms. */
function attributeOf(name: string): string {
  const lower = name.trim().toLowerCase();
  return lower.startsWith(prefix) ? lower.slice(prefix.length) : lower;
}

function displayNameOf(given: unknown): string {
  const value = valueOf(given);
  if (isName(value)) return value;
  return invalid('invalidValue', 'displayName must be 1 to 200 printable characters, without ://');
}

/** An empty value removes the id. */
function externalIdOf(given: unknown): string | null {
  const value = valueOf(given);
  if (value === null || value === '') return null;
  if (isExternalId(value)) return value;
  return invalid('invalidValue', `externalId must be 1 to ${MAX_EXTERNAL_ID} printable characters`);
}

/** The same id in another letter case is the same member. */
const canonical = (id: string): string => toUuid(id) ?? id;

/** Ids of members. Bare ids in place of objects are accepted, also one member without an array. */
function memberIdsOf(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  const members: unknown[] = Array.isArray(value) ? value : [value];
  return members.map((member, index) => {
    const id = typeof member === 'object' && member !== null ? (member as { value?: unknown }).value : member;
    if (typeof id === 'string' && id !== '') return canonical(id);
    return invalid('invalidValue', `members[${index}].value must be the id of a user or group`);
  });
}

/** The attributes of an object by their names in lower case. */
function attributesOf(value: unknown): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('invalidSyntax', 'The value must be an object of attributes');
  }
  return new Map(Object.entries(value).map(([name, inner]) => [attributeOf(name), inner]));
}

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

type Operation = 'add' | 'remove' | 'replace';

/** What several operations change together: the last one on a member counts. */
class GroupDraft {
  private readonly added = new Set<string>();
  private readonly removed = new Set<string>();
  private readonly changes: ScimGroupChange = {};
  private isReplaced = false;

  apply(op: Operation, path: string, value: unknown): void {
    const filtered = filteredMembers(path);
    if (filtered !== undefined) return this.changeFiltered(op, filtered);
    switch (attributeOf(path)) {
      case 'displayname':
        if (op === 'remove') invalid('invalidValue', 'displayName is required');
        this.changes.name = displayNameOf(value);
        return;
      case 'externalid':
        this.changes.externalId = op === 'remove' ? null : externalIdOf(value);
        return;
      case 'members':
        return this.changeMembers(op, value);
      default:
        invalid(
          'invalidPath',
          `The path ${path} is not supported; supported: displayName, externalId, members`,
        );
    }
  }

  /** Ignores attributes without a path that groups do not have: clients send `id`, `schemas` and their own ones. */
  applyAll(op: Operation, value: unknown): void {
    if (op === 'remove') invalid('noTarget', 'remove requires a path');
    for (const [name, inner] of attributesOf(value)) {
      if (name === 'displayname' || name === 'externalid' || name === 'members') this.apply(op, name, inner);
    }
  }

  get result(): ScimGroupChange {
    if (!this.isReplaced && this.added.size + this.removed.size === 0) return this.changes;
    const members = { isReplaced: this.isReplaced, added: [...this.added], removed: [...this.removed] };
    return { ...this.changes, members };
  }

  /** `remove` with an empty array removes no one, as its client does not ask for all. */
  private changeMembers(op: Operation, value: unknown): void {
    const ids = memberIdsOf(value);
    if (op === 'replace' || (op === 'remove' && (value === undefined || value === null))) this.clear();
    if (op === 'remove') this.remove(ids);
    else this.add(ids);
  }

  private changeFiltered(op: Operation, ids: string[]): void {
    if (op !== 'remove') invalid('invalidPath', 'Members with a filter can only be removed');
    this.remove(ids);
  }

  private add(ids: readonly string[]): void {
    for (const id of ids) {
      this.added.add(id);
      this.removed.delete(id);
    }
  }

  private remove(ids: readonly string[]): void {
    for (const id of ids) {
      this.added.delete(id);
      this.removed.add(id);
    }
  }

  private clear(): void {
    this.isReplaced = true;
    this.added.clear();
    this.removed.clear();
  }
}

const withFilter = /^([^[]+)\[(.*)\]$/s;
const comparison = /^\s*value\s+eq\s+"([^"\\]+)"\s*$/i;

/** The ids in `members[value eq "…" or value eq "…"]`; undefined for a path without a filter. */
function filteredMembers(path: string): string[] | undefined {
  const [, attribute = '', filter = ''] = withFilter.exec(path.trim()) ?? [];
  if (attributeOf(attribute) !== 'members') return undefined;
  // One space is enough: `\s+` would take minutes for a long path of spaces.
  return filter.split(/\sor\s/i).map((part) => {
    const id = comparison.exec(part)?.[1];
    if (id !== undefined) return canonical(id);
    return invalid('invalidFilter', 'The supported filter of members is value eq "…"');
  });
}

/** Microsoft Entra ID sends `Add`, `Replace` and `Remove`. */
function operationOf(value: unknown): Operation {
  const op = typeof value === 'string' ? value.toLowerCase() : '';
  if (op === 'add' || op === 'remove' || op === 'replace') return op;
  return invalid('invalidSyntax', 'op must be add, remove or replace');
}

/** Reads the body of PATCH. Throws a SCIM error for anything but operations on groups. */
export function groupPatch(body: unknown): ScimGroupChange {
  const operations = attributesOf(body).get('operations');
  if (!Array.isArray(operations) || operations.length === 0) {
    return invalid('invalidSyntax', 'Operations must be an array of at least one operation');
  }
  const draft = new GroupDraft();
  for (const operation of operations as unknown[]) {
    const attributes = attributesOf(operation);
    const [op, path, value] = [
      operationOf(attributes.get('op')),
      attributes.get('path'),
      attributes.get('value'),
    ];
    if (path === undefined || path === null || path === '') draft.applyAll(op, value);
    else if (typeof path === 'string') draft.apply(op, path, value);
    else invalid('invalidPath', 'path must be a string');
  }
  return draft.result;
}
