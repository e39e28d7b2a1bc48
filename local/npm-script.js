// For programs that `npm run` starts. Plain JavaScript: it runs before anything is built, on an old Node too.
// `--import ./local/npm-script.js` loads it before a program that does not know it.

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

/** As if the signal had come here, also on Windows, which has none. */
function end() {
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(143);
}

// npm's signal ends its shell only, and a shell does not pass it on: without this the program would run on alone.
if (process.env.npm_lifecycle_event !== undefined) {
  const look = setInterval(() => {
    if (isParentAlive()) return;
    clearInterval(look);
    end();
  }, LOOK_MS);
  look.unref();
}
