import { Get, Param, Query } from '@nestjs/common';
import { Problem } from '../../core/problems/problem.js';
import { invalid } from './scim.errors.js';
import { ScimAddress } from './scim-address.js';
import { ScimController } from './scim-controller.js';
import { listResponse, MAX_COUNT } from './scim-list.js';
import { resourceTypes, schemas } from './schemas.js';

const unsupported = { supported: false } as const;

/** What this service supports (RFC 7644, section 4). */
@ScimController()
export class DiscoveryController {
  constructor(private readonly address: ScimAddress) {}

  @Get('ServiceProviderConfig')
  serviceProviderConfig(): object {
    return {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: MAX_COUNT },
      changePassword: unsupported,
      sort: unsupported,
      etag: unsupported,
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: 'Bearer token',
          description: 'The secret or an access token of a service account with the scope scim',
          primary: true,
        },
      ],
      meta: {
        resourceType: 'ServiceProviderConfig',
        location: `${this.address.url}/ServiceProviderConfig`,
      },
    };
  }

  @Get('ResourceTypes')
  resourceTypes(@Query('filter') filter?: string): object {
    return this.list('ResourceType', resourceTypes, filter);
  }

  @Get('ResourceTypes/:id')
  resourceType(@Param('id') id: string): object {
    return this.find('ResourceType', resourceTypes, id);
  }

  @Get('Schemas')
  schemas(@Query('filter') filter?: string): object {
    return this.list('Schema', schemas, filter);
  }

  @Get('Schemas/:id')
  schema(@Param('id') id: string): object {
    return this.find('Schema', schemas, id);
  }

  /** RFC 7644, section 4: a filter on these resources is denied. */
  private list(type: string, all: readonly { id: string }[], filter: string | undefined): object {
    if (filter !== undefined) invalid('invalidFilter', `${type} resources cannot be filtered`);
    const page = { offset: 0, limit: all.length };
    return listResponse(
      all.length,
      page,
      all.map((each) => this.located(type, each)),
    );
  }

  private find(type: string, all: readonly { id: string }[], id: string): object {
    const found = all.find((each) => each.id === id);
    if (found === undefined) throw new Problem('scim_resource_not_found', `No ${type} has this id.`);
    return this.located(type, found);
  }

  private located(type: string, resource: { id: string }): object {
    const location = `${this.address.url}/${type}s/${resource.id}`;
    return { ...resource, meta: { resourceType: type, location } };
  }
}
