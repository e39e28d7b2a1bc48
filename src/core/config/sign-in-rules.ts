import 'reflect-metadata';
import { applyDecorators } from '@nestjs/common';
import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmptyObject,
  IsObject,
  IsString,
  Length,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import { canonicalDomain } from '../validation/email-address.js';
import { isAttributeName, isAttributeValue, isUuid } from '../validation/text.js';
import { invalidValues } from '../validation/validation.js';
import { OptionalField, Satisfies } from '../validation/validators.js';
import type { Environment } from './environment.js';

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== '');

const isValueOrClaim = (value: unknown): boolean =>
  isAttributeValue(value) ||
  (typeof value === 'object' &&
    value !== null &&
    Object.keys(value).join() === 'claim' &&
    typeof (value as { claim: unknown }).claim === 'string');

const EachValue = (holds: (value: unknown) => boolean, message: string): PropertyDecorator =>
  Satisfies(
    'eachValue',
    (value) => typeof value === 'object' && value !== null && Object.values(value).every(holds),
    `$property ${message}`,
  );

const HasAttributeNames = (): PropertyDecorator =>
  Satisfies(
    'hasAttributeNames',
    (value) => typeof value === 'object' && value !== null && Object.keys(value).every(isAttributeName),
    '$property must use attribute names of 1 to 64 letters, digits, _ and -',
  );

const canonical = (domain: unknown): unknown =>
  typeof domain === 'string' ? canonicalDomain(domain) : domain;

/** Domains of addresses, which it converts to the form that addresses contain. */
const IsDomains = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(canonical) : value)),
    Satisfies('isDomains', isTextList, '$property must be domains such as contoso.com, without @ and *'),
  );

/** All conditions that are present must match; within one condition, any of its values matches. */
export class RuleCondition {
  /** Domains of the verified email address, as addresses contain them. */
  @OptionalField()
  @IsArray()
  @ArrayNotEmpty()
  @IsDomains()
  email_domains?: string[];

  /** Group names or ids, as the provider's group claim contains them. */
  @OptionalField()
  @IsArray()
  @ArrayNotEmpty()
  @IsString({ each: true })
  groups?: string[];

  /** Accepted values by claim name. */
  @OptionalField()
  @IsNotEmptyObject({ nullable: false })
  @EachValue(isTextList, 'must map each claim to a list of values')
  claims?: Record<string, string[]>;
}

/** A report that is named by its id needs no workspace. */
const needsWorkspace = ({ workspace, report }: RuleGrant): boolean =>
  workspace !== undefined || report === undefined || !isUuid(report);

export class RuleGrant {
  /** Vitrine id, Power BI id or name of the workspace. */
  @ValidateIf(needsWorkspace)
  @IsString({ message: '$property must name a workspace; only a report that is given by its id needs none' })
  @Length(1, 200)
  workspace?: string;

  /** Vitrine id, Power BI id or, with `workspace`, name of one report; without it the grant is on the whole workspace. */
  @OptionalField()
  @IsString()
  @Length(1, 200)
  report?: string;

  @IsIn(['viewer', 'editor', 'manager'])
  @Satisfies(
    'isReportRole',
    (role, args) => role !== 'manager' || (args?.object as RuleGrant | undefined)?.report === undefined,
    '$property of a report must be viewer or editor',
  )
  role!: 'viewer' | 'editor' | 'manager';
}

/** Access for users who match the condition. */
export class SignInRule {
  @IsString()
  @Length(1, 200)
  name!: string;

  @IsObject()
  @ValidateNested()
  @Type(() => RuleCondition)
  @Satisfies(
    'hasCondition',
    (value) => typeof value === 'object' && value !== null && Object.keys(value).length > 0,
    '$property must have a condition',
  )
  when!: RuleCondition;

  /** Provisions an account for users who have none. */
  @OptionalField()
  @IsBoolean()
  admit?: boolean;

  @OptionalField()
  @IsIn(['admin'])
  role?: 'admin';

  /** A fixed value, or the claim to read it from. */
  @OptionalField()
  @IsObject()
  @EachValue(
    isValueOrClaim,
    'must map each attribute to a string of at most 256 characters or {"claim": "name"}',
  )
  @HasAttributeNames()
  attributes?: Record<string, string | { claim: string }>;

  @OptionalField()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => RuleGrant)
  grants?: RuleGrant[];

  /** Ids or names of groups in Vitrine that the user joins. */
  @OptionalField()
  @IsArray()
  @ArrayNotEmpty()
  @IsString({ each: true })
  @Length(1, 200, { each: true })
  member_of?: string[];
}

export class SignInRules {
  /** Claim that lists the groups of a user. */
  @OptionalField()
  @IsString()
  @Length(1, 200)
  groups_claim: string = 'groups';

  @IsArray()
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => SignInRule)
  rules: SignInRule[] = [];
}

/** Reads the rules that map provider claims to access. Reports every error in them with its JSON pointer. */
export function readSignInRules(env: Environment): SignInRules {
  const file = env.optionalFile('OIDC_RULES_FILE', 'JSON file with rules that map claims to access');
  const text =
    file ?? env.optional('OIDC_RULES', 'The same rules as an inline value instead of a file', 'JSON');
  const name = file === undefined ? 'OIDC_RULES' : 'OIDC_RULES_FILE';
  if (text === undefined) return new SignInRules();
  const rules = parse(text);
  if (rules === undefined) {
    env.fail(`${name} must contain a JSON object with "rules"`);
    return new SignInRules();
  }
  const errors = validateSync(rules, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
  });
  for (const { pointer, detail } of invalidValues(errors)) env.fail(`${name}: ${pointer}: ${detail}`);
  return rules;
}

function parse(text: string): SignInRules | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? plainToInstance(SignInRules, value, { exposeDefaultValues: true }) : undefined;
  } catch {
    return undefined;
  }
}
