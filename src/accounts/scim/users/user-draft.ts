import { isEmailAddress } from '../../../core/validation/email-address.js';
import { isAttributeValue, isExternalId, isReadableText } from '../../../core/validation/text.js';
import { ENTERPRISE_SCHEMA, USER_SCHEMA } from '../schemas.js';
import { invalid } from '../scim.errors.js';
import { isObject, lowered, singleOf, valueOf } from '../single-value.js';

/** User attributes, to which identity policies refer, by the SCIM attribute in lower case. */
export const userAttributes: Readonly<Record<string, string>> = {
  title: 'title',
  usertype: 'userType',
  employeenumber: 'employeeNumber',
  costcenter: 'costCenter',
  organization: 'organization',
  division: 'division',
  department: 'department',
  manager: 'manager',
};

/** Attributes of RFC 7643 that this service does not store. */
const ignored = new Set(
  `id schemas meta groups roles entitlements phonenumbers addresses photos ims x509certificates nickname profileurl
   preferredlanguage locale timezone password honorificprefix honorificsuffix middlename`.split(/\s+/),
);

/** Undefined: not sent. Null: removed. */
export interface UserValues {
  userName?: string;
  externalId?: string | null;
  displayName?: string | null;
  formatted?: string | null;
  givenName?: string | null;
  familyName?: string | null;
  email?: string;
  isActive?: boolean;
  attributes: Record<string, string | null>;
}

/** Removes what was not sent, except the id of the provider and what SCIM does not manage. */
export function asReplacement(sent: UserValues): UserValues {
  const none = Object.fromEntries(Object.values(userAttributes).map((name) => [name, null]));
  const names = { displayName: null, givenName: null, familyName: null };
  return { ...names, ...sent, attributes: { ...none, ...sent.attributes } };
}

const MAX_TEXT = 255;
const prefixes = [USER_SCHEMA, ENTERPRISE_SCHEMA].map((schema) => schema.toLowerCase());

const isTrue = (value: unknown): boolean => value === true || String(value).toLowerCase() === 'true';

/** The path in lower case, without schema and filter; the schema of the extension alone becomes `enterprise`. */
function canonicalPath(path: string): string {
  const lower = path.trim().toLowerCase();
  if (lower === prefixes[1]) return 'enterprise';
  const prefix = prefixes.find((each) => lower.startsWith(`${each}:`) || lower.startsWith(`${each}.`));
  const plain = prefix === undefined ? lower : lower.slice(prefix.length + 1);
  // Not by a regular expression: it would take minutes for a long path of brackets.
  const start = plain.indexOf('[');
  const end = plain.indexOf(']', start);
  return start < 0 || end < 0 ? plain : plain.slice(0, start) + plain.slice(end + 1);
}

/** Whether the path selects an email address other than the primary one and the one at work. */
const isOtherEmail = (path: string): boolean =>
  /^[^[]*emails\[/i.test(path) && !/type\s+eq\s+"work"|primary\s+eq\s+"?true"?/i.test(path);

function textOf(name: string, given: unknown): string | null {
  const value = valueOf(given);
  if (value === null || value === undefined || value === '') return null;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && text.length <= MAX_TEXT && isReadableText(text)) return text.trim();
  return invalid('invalidValue', `${name} must be printable text of at most ${MAX_TEXT} characters`);
}

/** The primary address, else the one at work, else the first one, or of an addition the first one without a type. */
function emailOf(value: unknown, isAddition: boolean): unknown {
  if (!Array.isArray(value) && !isObject(value)) return value;
  const all = ((Array.isArray(value) ? value : [value]) as unknown[]).map((each) =>
    isObject(each) ? lowered(each) : { value: each },
  );
  const chosen =
    all.find(({ primary }) => isTrue(primary)) ??
    all.find(({ type }) => String(type).toLowerCase() === 'work') ??
    all.find(({ type }) => !isAddition || type === undefined);
  return chosen?.value;
}

/** Collects the values of a person that a SCIM request sends, in all the forms that identity providers use. */
export class UserDraft {
  readonly values: UserValues = { attributes: {} };
  /** Whether the values are added to those of the person. */
  isAddition = false;

  /** Throws ScimError, also for a path that no schema has. */
  setPath(path: string, value: unknown): void {
    if (isOtherEmail(path)) return;
    if (!this.set(canonicalPath(path), value)) invalid('invalidPath', `The attribute ${path} does not exist`);
  }

  /** Ignores attributes that no schema has: clients send their own ones. */
  setAll(value: unknown, parent = ''): void {
    if (!isObject(value)) return invalid('invalidSyntax', 'The value must be an object of attributes');
    for (const [name, inner] of Object.entries(value)) {
      if (!isOtherEmail(name)) this.set(parent + canonicalPath(name), inner);
    }
  }

  private set(path: string, value: unknown): boolean {
    const { values } = this;
    switch (path) {
      case 'username':
        values.userName = textOf('userName', value) ?? invalid('invalidValue', 'userName is required');
        return true;
      case 'externalid':
        values.externalId = externalIdOf(value);
        return true;
      case 'displayname':
        values.displayName = textOf('displayName', value);
        return true;
      case 'name.formatted':
        values.formatted = textOf('name.formatted', value);
        return true;
      case 'name.givenname':
        values.givenName = textOf('name.givenName', value);
        return true;
      case 'name.familyname':
        values.familyName = textOf('name.familyName', value);
        return true;
      case 'active':
        values.isActive = activeOf(value);
        return true;
      case 'emails':
      case 'emails.value':
        this.setEmail(emailOf(value, this.isAddition));
        return true;
      case 'name':
        this.setParts(value, ['formatted', 'givenname', 'familyname'], 'name.');
        return true;
      case 'enterprise':
        this.setParts(value, [
          'employeenumber',
          'costcenter',
          'organization',
          'division',
          'department',
          'manager',
        ]);
        return true;
      default:
        return this.setAttribute(path, value);
    }
  }

  /** Sets the parts of a complex attribute, and removes them all without a value. */
  private setParts(value: unknown, parts: readonly string[], parent = ''): void {
    if (value === null || value === undefined) for (const part of parts) this.set(parent + part, null);
    else this.setAll(singleOf(value), parent);
  }

  private setAttribute(path: string, value: unknown): boolean {
    const [base = '', part] = path.split('.');
    if (Object.hasOwn(userAttributes, base) && (part === undefined || part === 'value')) {
      const name = userAttributes[base] as string;
      const text = textOf(name, value);
      if (text !== null && !isAttributeValue(text)) invalid('invalidValue', `${name} is too long`);
      this.values.attributes[name] = text;
      return true;
    }
    return (
      ignored.has(part !== undefined && base === 'name' ? part : base) ||
      base === 'emails' ||
      base === 'manager'
    );
  }

  /** Without a value the address stays: every person has one. */
  private setEmail(value: unknown): void {
    if (value === null || value === undefined || value === '') return;
    if (!isEmailAddress(value)) return invalid('invalidValue', 'emails must contain a single email address');
    this.values.email = value;
  }
}

function externalIdOf(given: unknown): string | null {
  const value = valueOf(given);
  if (value === null || value === undefined || value === '') return null;
  return isExternalId(value)
    ? value
    : invalid('invalidValue', 'externalId must be at most 255 printable characters');
}

function activeOf(value: unknown): boolean {
  const text = String(valueOf(value)).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  return invalid('invalidValue', 'active must be true or false');
}
