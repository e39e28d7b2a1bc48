import { IsId } from './validators.js';

export class IdParam {
  @IsId()
  id!: string;
}
