import { Injectable } from '@nestjs/common';
import { Config } from '../../core/config/config.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { IdpGroupsService } from '../../access/groups/idp-groups.service.js';
import type { UnresolvedReference } from '../../access/groups/rule-references.service.js';
import { RuleTargetsService } from '../../reports/rule-targets.service.js';

export interface UnresolvedRuleReference extends UnresolvedReference {
  /** From 1. */
  rule: number;
  ruleName: string;
}

/** What the sign-in rules name. */
@Injectable()
export class SignInRulesService {
  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly targets: RuleTargetsService,
    private readonly groups: IdpGroupsService,
  ) {}

  /** Whether a rule names a workspace, a report or a group. */
  get namesAnything(): boolean {
    return this.rules.some(({ grants = [], member_of = [] }) => grants.length + member_of.length > 0);
  }

  /** References that add and remove nothing, in the order of the rules; each once in a rule. */
  async listUnresolved(): Promise<UnresolvedRuleReference[]> {
    const { manager } = this.database;
    const { rules } = this;
    const ofGrant = await this.targets.unresolved(
      manager,
      rules.flatMap(({ grants = [] }) => grants),
    );
    const ofGroup = await this.groups.unresolved(
      manager,
      rules.flatMap(({ member_of = [] }) => member_of),
    );
    return rules.flatMap(({ name: ruleName, grants = [], member_of = [] }, index) => {
      const found = [
        ...grants.flatMap((grant) => ofGrant.get(grant) ?? []),
        ...member_of.flatMap((name) => ofGroup.get(name) ?? []),
      ];
      const unique = new Map(found.map((each) => [`${each.kind} ${each.reference}`, each]));
      return [...unique.values()].map((each) => ({ rule: index + 1, ruleName, ...each }));
    });
  }

  private get rules(): NonNullable<Config['oidc']>['rules']['rules'] {
    return this.config.oidc?.rules.rules ?? [];
  }
}
