// The built service in a few files instead of 1,500, as production runs it: read, compiled and kept in half of the time.
// node local/bundle.js [folder that has dist/src; this one if none is named]
import { build } from 'rolldown';

/** Nest loads these by name while it runs, where they are installed. */
const loadedByName = [/^@nestjs\/(microservices|websockets)/, /^@fastify\//];
/** They look for files or programs of theirs beside themselves. */
const withFiles = [/^@node-rs\//, /^pg-native/, /^pino/, /^swagger-ui-dist/];

/** What a module requires by a `require` of its own would be there twice: once in here, once as a package. */
const once = {
  name: 'once',
  transform: {
    filter: { id: /node_modules/, code: /createRequire/ },
    handler: (code) => code.replace('const require = createRequire(import.meta.url);', ''),
  },
};

/** One letter beyond ASCII, and Node keeps the whole file in two bytes a letter. */
const inOneByte = {
  name: 'in-one-byte',
  // After the comments are gone, which writes letters again.
  generateBundle: (_, files) => {
    for (const file of Object.values(files)) {
      file.code = file.code.replace(
        /[^\0-\x7f]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

await build({
  cwd: process.argv[2],
  input: 'dist/src/main.js',
  platform: 'node',
  external: [...loadedByName, ...withFiles],
  // What cannot be found would be missed when somebody needs it.
  onwarn: ({ message }) => {
    throw new Error(message);
  },
  plugins: [once, inOneByte],
  output: {
    dir: 'dist/service',
    keepNames: true,
    comments: { legal: false, jsdoc: false, annotation: false },
  },
});
