// Runs units as far as a host without systemd as its first process can: user, environment, credentials, order, signals.
import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// A unit does not inherit the mask of the shell.
process.umask(0o022);

const folders = ['/etc/systemd/system', '/lib/systemd/system'];
const fileOf = (unit) =>
  folders.map((folder) => join(folder, `${unit}.service`)).find((file) => existsSync(file));
const idOf = (flag, user) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout);
const pidFile = (unit) => `/run/${unit}.test-pid`;

/** The last value of each name; `all` has every one. */
function read(unit) {
  const lines = readFileSync(fileOf(unit), 'utf8').replaceAll('\\\n', ' ').split('\n');
  const entries = lines.filter((line) => /^[A-Z]\w+=/.test(line)).map((line) => line.split(/=(.*)/s));
  const all = (name) => entries.filter(([each]) => each === name).map(([, value]) => value);
  return { all, one: (name) => all(name).at(-1) };
}

function environmentOf({ all, one }, credentials) {
  const assignments = all('Environment').flatMap((value) => value.split(/\s+/));
  for (const file of all('EnvironmentFile')) {
    assignments.push(
      ...readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => /^\w+=/.test(line)),
    );
  }
  const pairs = assignments.map((each) => each.replaceAll('%d', credentials).split(/=(.*)/s).slice(0, 2));
  return {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    USER: one('User') ?? 'nobody',
    ...Object.fromEntries(pairs),
  };
}

/** Folders and files that systemd prepares for the user of the unit. */
function prepare(unit, settings, account) {
  const credentials = `/run/credentials/${unit}.service`;
  mkdirSync(credentials, { recursive: true });
  const owned = [credentials];
  for (const [id, path] of settings.all('LoadCredential').map((value) => value.split(':'))) {
    copyFileSync(path, join(credentials, id));
    owned.push(join(credentials, id));
  }
  for (const name of settings.all('CacheDirectory').map((value) => `/var/cache/${value}`)) {
    mkdirSync(name, { recursive: true });
    owned.push(name);
  }
  for (const path of owned) chownSync(path, account.uid, account.gid);
  return environmentOf(settings, credentials);
}

async function start(unit) {
  const settings = read(unit);
  const wanted = settings.all('Wants').flatMap((value) => value.split(' '));
  for (const name of wanted.filter((each) => each.endsWith('.service'))) await start(name.slice(0, -8));
  const user = settings.one('User') ?? 'nobody';
  const account = { uid: idOf('-u', user), gid: idOf('-g', user) };
  const env = prepare(unit, settings, account);
  const drop = [
    '--reuid',
    user,
    '--regid',
    String(account.gid),
    '--init-groups',
    '--no-new-privs',
    '--bounding-set=-all',
  ];
  const args = [...drop, '--inh-caps=-all', '--', ...settings.one('ExecStart').split(/\s+/)];
  const log = openSync(`/var/log/${unit}.log`, 'a');
  const options = { env, cwd: settings.one('WorkingDirectory') ?? '/', stdio: ['ignore', log, log] };
  if (settings.one('Type') === 'oneshot') {
    if (spawnSync('setpriv', args, options).status !== 0) fail(unit);
  } else {
    const child = spawn('setpriv', args, { ...options, detached: true });
    writeFileSync(pidFile(unit), String(child.pid));
    child.unref();
  }
  closeSync(log);
}

function fail(unit) {
  console.error(`${unit} failed:\n${readFileSync(`/var/log/${unit}.log`, 'utf8').slice(-2000)}`);
  process.exitCode = 1;
}

const isRunning = (pid) => {
  // A child of the namespace's first process stays as a zombie until that one collects it.
  const state =
    existsSync(`/proc/${pid}/stat`) && readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
  return state !== false && state !== 'Z';
};

async function stop(unit) {
  if (!existsSync(pidFile(unit))) return;
  const pid = Number(readFileSync(pidFile(unit), 'utf8'));
  if (!isRunning(pid)) return;
  const signal = read(unit).one('KillSignal') ?? 'SIGTERM';
  const limit = Date.now() + Number(read(unit).one('TimeoutStopSec') ?? 90) * 1000;
  process.kill(pid, signal);
  while (isRunning(pid) && Date.now() < limit) await sleep(50);
  if (!isRunning(pid)) return;
  console.error(`${unit} did not stop in time`);
  process.exitCode = 1;
}

const [verb, ...rest] = process.argv.slice(2);
const unit = rest.filter((each) => !each.startsWith('-')).at(-1);
if (verb === 'daemon-reload') process.exitCode = 0;
else if (verb === 'reload' && unit === 'nginx') {
  process.exitCode = spawnSync('nginx', ['-s', 'reload'], { stdio: 'inherit' }).status ?? 1;
} else if (verb === 'stop') await stop(unit);
else if (verb === 'restart') await stop(unit).then(() => start(unit));
else if (verb === 'start' || (verb === 'enable' && rest.includes('--now'))) await start(unit);
else throw new Error(`Unknown: systemctl ${process.argv.slice(2).join(' ')}`);
