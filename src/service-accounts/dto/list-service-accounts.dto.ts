import { OmitType } from '@nestjs/swagger';
import { ListUsersQuery } from '../../users/dto/list-users.dto.js';

export class ListServiceAccountsQuery extends OmitType(ListUsersQuery, ['kind']) {}
