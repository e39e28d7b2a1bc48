export class TokenResponseDto {
  /** JWT to send as a bearer token. */
  access_token!: string;
  /** Lifetime of the access token in seconds: 3600. */
  expires_in!: number;
  token_type!: 'Bearer';
  /** Renews the access token, once. Absent for service accounts, which request a new token with their credentials. */
  refresh_token?: string;
  /** Seconds until the refresh token expires if it is not used. */
  refresh_expires_in?: number;
}
