// The Swagger plugin of nest-cli.json, fixed for checkout paths with non-ASCII letters.
import { before as swaggerBefore } from '@nestjs/swagger/plugin';

const escaped = /\\u([0-9A-F]{4})/g;

/** TypeScript escapes such letters in the text of a type, and the plugin takes import paths from that text. */
export function before(options, program) {
  const checker = program.getTypeChecker();
  const { typeToString } = checker;
  checker.typeToString = (...args) =>
    typeToString(...args).replace(escaped, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return swaggerBefore(options, program);
}
