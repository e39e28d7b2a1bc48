// The built service in a few files instead of 1,500, as production runs it: read, compiled and kept in half of the time.
// node local/bundle.js [folder that has dist/src; this one if none is named]
import { build } from 'rolldown';

/** Nest loads these by name while it runs, and there must be one of each: both sides register what they decorate. */
const loadedByName = [
  /^class-(transformer|validator)/,
  /^@nestjs\/(microservices|websockets)/,
  /^@fastify\//,
];
/** They look for files or programs of theirs beside themselves. */
const withFiles = [/^@node-rs\//, /^pg-native/, /^pino/, /^swagger-ui-dist/];

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
  plugins: [inOneByte],
  output: {
    dir: 'dist/service',
    keepNames: true,
    comments: { legal: false, jsdoc: false, annotation: false },
  },
});
