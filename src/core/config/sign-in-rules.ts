import 'reflect-metadata';
import { plainToInstance, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Length,
  ValidateBy,
  ValidateNested,
  validateSync,
} from 'class-validator';
import { isAttributeName, isAttributeValue } from '../validation/text.js';
import { invalidValues } from '../validation/validation.js';
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
  ValidateBy({
    name: 'eachValue',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' && value !== null && Object.values(value).every(holds),
      defaultMessage: () => `$property ${message}`,
    },
  });

const HasAttributeNames = (): PropertyDecorator =>
  ValidateBy({
    name: 'hasAttributeNames',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' && value !== null && Object.keys(value).every(isAttributeName),
      defaultMessage: () => '$property must name each attribute with 1 to 64 letters, digits, _ and -',
    },
  });

/** Every condition that is there must hold; of the values of one, any. */
export class RuleCondition {
  /** Domain of the verified e-mail address. */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @IsString({ each: true })
  email_domains?: string[];

  /** Names or ids, as the provider's group claim has them. */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @IsString({ each: true })
  groups?: string[];

  /** Claim by name, with the values that it may have. */
  @IsOptional()
  @IsObject()
  @EachValue(isTextList, 'must map each claim to a list of values')
  claims?: Record<string, string[]>;
}

export class RuleGrant {
  /** Our id, the Power BI id, or the name of the workspace. */
  @IsString()
  @Length(1, 200)
  workspace!: string;

  @IsIn(['viewer', 'editor', 'manager'])
  role!: 'viewer' | 'editor' | 'manager';
}

/** What people get whom the condition fits. */
export class SignInRule {
  @IsString()
  @Length(1, 200)
  name!: string;

  @IsObject()
  @ValidateNested()
  @Type(() => RuleCondition)
  @ValidateBy({
    name: 'hasCondition',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' && value !== null && Object.keys(value).length > 0,
      defaultMessage: () => '$property must have a condition',
    },
  })
  when!: RuleCondition;

  /** Makes an account for people who have none. */
  @IsOptional()
  @IsBoolean()
  admit?: boolean;

  @IsOptional()
  @IsIn(['admin'])
  role?: 'admin';

  /** A value, or the claim that it is taken from. */
  @IsOptional()
  @IsObject()
  @EachValue(
    isValueOrClaim,
    'must map each attribute to a text of at most 256 characters or {"claim": "name"}',
  )
  @HasAttributeNames()
  attributes?: Record<string, string | { claim: string }>;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => RuleGrant)
  grants?: RuleGrant[];
}

export class SignInRules {
  /** The claim that lists the groups of a person. */
  @IsOptional()
  @IsString()
  @Length(1, 200)
  groups_claim: string = 'groups';

  @IsArray()
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => SignInRule)
  rules: SignInRule[] = [];
}

/** The rules over the provider's claims. Every problem of the file is named by its place in it. */
export function readSignInRules(env: Environment): SignInRules {
  const text =
    env.optionalFile('OIDC_RULES_FILE', 'JSON file of rules that map claims to access') ??
    env.optional('OIDC_RULES', 'The same rules in place, instead of a file', 'JSON');
  if (text === undefined) return new SignInRules();
  const rules = parse(text);
  if (rules === undefined) {
    env.fail('OIDC_RULES_FILE must hold a JSON object with "rules"');
    return new SignInRules();
  }
  const errors = validateSync(rules, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
  });
  for (const { pointer, detail } of invalidValues(errors)) env.fail(`OIDC_RULES_FILE: ${pointer}: ${detail}`);
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
