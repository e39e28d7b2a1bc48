import type { ReferenceKind } from '../../../access/groups/rule-reference.entity.js';
import type { ReferenceProblem } from '../../../access/groups/rule-references.service.js';
import type { UnresolvedRuleReference } from '../sign-in-rules.service.js';

export class UnresolvedReferenceDto {
  /** Number of the rule in `OIDC_RULES`, from 1. */
  rule!: number;
  rule_name!: string;
  kind!: ReferenceKind;
  /** As the rule names it; a report with its workspace: `Finance / Forecast`. */
  reference!: string;
  /** `missing`: nothing matches. `ambiguous`: several match. `retired`: it no longer exists in Power BI. */
  reason!: ReferenceProblem;

  static from({ rule, ruleName, kind, reference, problem }: UnresolvedRuleReference): UnresolvedReferenceDto {
    return { rule, rule_name: ruleName, kind, reference, reason: problem };
  }
}

export class SignInRulesDto {
  /** References that add and remove nothing until they are resolved. */
  unresolved!: UnresolvedReferenceDto[];
}
