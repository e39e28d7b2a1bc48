/** Everything that is stored about a person at one time, except secrets and their hashes. */
export class PersonalDataDto {
  user_id!: string;
  exported_at!: Date;
  /** Rows by section, such as `account`, `sessions` and `workspace_grants`. Other people appear as ids only. */
  data!: Record<string, Record<string, unknown>[]>;
}
