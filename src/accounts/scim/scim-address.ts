import { Injectable } from '@nestjs/common';
import { Config } from '../../core/config/config.js';
import { SCIM_PATH } from './scim-controller.js';

/** The public address of the SCIM resources. */
@Injectable()
export class ScimAddress {
  readonly url: string;

  constructor({ http }: Config) {
    this.url = `${http.publicUrl.replace(/\/$/, '')}/${SCIM_PATH}`;
  }
}
