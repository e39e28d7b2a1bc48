import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess } from '../../support/child-process.js';

const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
const name = '@vitrine/power-bi-emulator';

export interface Figures {
  node: string;
  tarballKilobytes: number;
  installSeconds: number;
  startSeconds: number;
  megabytes: number;
}

/** The packed emulator, installed in an empty folder and started under Microsoft's names; and the clients beside it. */
export class InstalledEmulator {
  private constructor(
    private readonly folder: string,
    private readonly program: ChildProcessWithoutNullStreams,
    readonly url: string,
    /** What it printed at start. */
    readonly printed: string,
    readonly figures: Figures,
  ) {}

  static async start(): Promise<InstalledEmulator> {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-clients-'));
    const { tarball, installSeconds } = install(folder);
    installClients(folder);
    const node = oldestNode();
    const began = performance.now();
    const program = spawn(
      node,
      [join(folder, 'emulator/node_modules/.bin/power-bi-emulator'), '--real-names', '--port', '0'],
      {
        cwd: join(folder, 'emulator'),
        env: { ...process.env, EMULATOR_PUBLIC_URL: 'https://app.powerbi.com' },
      },
    );
    const printed = await outputOf(program).catch(async (error: unknown) => {
      await endProcess(program);
      throw error;
    });
    const startSeconds = (performance.now() - began) / 1000;
    const url = /https:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? '';
    const figures = {
      node: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(),
      tarballKilobytes: Math.round(readFileSync(tarball).length / 1000),
      installSeconds,
      startSeconds,
      megabytes: memoryOf(program.pid),
    };
    return new InstalledEmulator(folder, program, url, printed, figures);
  }

  get port(): string {
    return new URL(this.url).port;
  }

  get caFile(): string {
    return join(this.folder, 'emulator/.power-bi-emulator/ca.pem');
  }

  /** Folder with the clients' packages. */
  get clients(): string {
    return join(this.folder, 'clients');
  }

  /** Runs a script of a client and returns what it printed. */
  run<T>(script: string, variables: Record<string, string> = {}): T {
    const isPython = script.endsWith('.py');
    const preload = isPython ? [] : ['--import', join(this.clients, 'scripts/real-names.mjs')];
    const printed = execFileSync(
      isPython ? '/usr/bin/python3' : process.execPath,
      [...preload, join(this.clients, 'scripts', script)],
      {
        encoding: 'utf8',
        timeout: 60_000,
        env: {
          PATH: process.env.PATH,
          EMULATOR_URL: this.url,
          EMULATOR_PORT: this.port,
          NODE_EXTRA_CA_CERTS: this.caFile,
          REQUESTS_CA_BUNDLE: this.caFile,
          ...variables,
        },
      },
    );
    return JSON.parse(printed) as T;
  }

  async close(): Promise<void> {
    await endProcess(this.program);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function install(folder: string): { tarball: string; installSeconds: number } {
  execFileSync('npm', ['pack', '-w', name, '--ignore-scripts', '--pack-destination', folder], {
    stdio: 'ignore',
  });
  const archive = readdirSync(folder).find((each) => each.endsWith('.tgz')) ?? '';
  const tarball = join(folder, archive);
  const target = join(folder, 'emulator');
  mkdirSync(target);
  writeFileSync(join(target, 'package.json'), '{ "private": true }');
  const began = performance.now();
  execFileSync('npm', ['install', ...quiet, tarball], { cwd: target, stdio: 'ignore' });
  return { tarball, installSeconds: (performance.now() - began) / 1000 };
}

function installClients(folder: string): void {
  const target = join(folder, 'clients');
  cpSync(import.meta.dirname, target, { recursive: true, filter: (path) => !path.endsWith('.ts') });
  execFileSync('npm', ['ci', ...quiet], { cwd: target, stdio: 'ignore' });
}

/** Debian's Node, which may be older than the one that runs the tests. */
function oldestNode(): string {
  const path = '/usr/bin/node';
  return existsSync(path) ? path : process.execPath;
}

async function outputOf(program: ChildProcessWithoutNullStreams): Promise<string> {
  let printed = '';
  let errors = '';
  program.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  program.stdout.setEncoding('utf8');
  while (!printed.includes('REQUESTS_CA_BUNDLE')) {
    const ended = once(program, 'close').then(() => {
      throw new Error(`the emulator ended: ${errors}`);
    });
    const [text] = (await Promise.race([once(program.stdout, 'data'), ended])) as [string];
    ended.catch(() => undefined);
    printed += text;
  }
  return printed;
}

function memoryOf(pid: number | undefined): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1000);
}
