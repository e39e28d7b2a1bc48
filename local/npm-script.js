// For programs that `npm run` starts. Plain JavaScript: it runs before the build, also on an unsupported Node version.
// `--import ./local/npm-script.js` loads it before another program.

const LOOK_MS = 200;
const parent = process.ppid;

function isParentAlive() {
  if (process.ppid !== parent) return false;
  try {
    process.kill(parent, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Emits the signal in this process, also on Windows, which has no signals. */
function end() {
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(143);
}

// A signal to npm ends only its shell, which does not forward it: without this the program would keep running.
if (process.env.npm_lifecycle_event !== undefined) {
  const look = setInterval(() => {
    if (isParentAlive()) return;
    clearInterval(look);
    end();
  }, LOOK_MS);
  look.unref();
}
