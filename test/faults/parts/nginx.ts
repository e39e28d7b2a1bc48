import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../local/free-port.js';
import { until } from '../../support/until.js';
import { Child } from './child.js';
import type { Cluster } from './cluster.js';

/** The shipped file for these replicas, without TLS. */
function serverOf(replicas: Cluster['replicas'], port: number): string {
  const file = readFileSync('deploy/nginx/vitrine.conf', 'utf8');
  const [, options = ''] = /server 127\.0\.0\.1:3000(.*);/.exec(file) ?? [];
  const servers = replicas.map((replica) => `server 127.0.0.1:${replica.port}${options};`);
  return (
    file
      .replace(/server 127\.0\.0\.1:3000.*;/, servers.join('\n  '))
      .replace(/server \{\s+listen 80;[^}]*\}/, '')
      .replaceAll(/^ *(listen \[::\]|ssl_).*\n/gm, '')
      .replace(/listen 443 .*;/, `listen 127.0.0.1:${port};`)
      // The load names the address of each client.
      .replace('X-Forwarded-For $remote_addr', 'X-Forwarded-For $http_x_forwarded_for')
  );
}

/** Starts nginx in front of the replicas of a cluster, which ends it. Returns its address. */
export async function startNginx({ folder: parent, replicas, children }: Cluster): Promise<string> {
  const folder = join(parent, 'nginx');
  mkdirSync(folder);
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const main = `daemon off; user root; worker_processes 2; pid ${folder}/pid; error_log stderr;
    events {}
    http { access_log off; ${temporary.join(' ')} ${serverOf(replicas, port)} }`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf')];
  const path = `${process.env['PATH']}:/usr/sbin`;
  children.push(
    Child.start({
      name: 'nginx',
      command: 'nginx',
      args,
      env: { PATH: path },
      log: join(parent, 'nginx.log'),
    }),
  );
  const url = `http://127.0.0.1:${port}`;
  await until(
    () =>
      fetch(`${url}/livez`).then(
        async (response) => (await response.text(), response.ok),
        () => null,
      ),
    20,
  );
  return url;
}
