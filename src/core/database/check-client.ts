import { Client, type ClientConfig } from 'pg';

/** A connection of its own for a short check. Throws for a certificate file of the address that cannot be read. */
export function checkClient(config: ClientConfig): Client {
  const client = new Client({ connectionTimeoutMillis: 2000, ...config });
  // An error that arrives with the end of the handshake would otherwise end the process.
  client.on('error', () => undefined);
  return client;
}
