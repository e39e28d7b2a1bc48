// The Swagger plugin of nest-cli.json, whose output imports `#openapi` (package.json) in place of @nestjs/swagger. Also
// fixed for checkout paths with non-ASCII letters.
import { before as swaggerBefore } from '@nestjs/swagger/plugin';
import ts from 'typescript';

const escaped = /\\u([0-9A-F]{4})/g;

/** TypeScript escapes such letters in the text of a type, and the plugin takes import paths from that text. */
function unescapeTypes(checker) {
  const { typeToString } = checker;
  checker.typeToString = (...args) =>
    typeToString(...args).replace(escaped, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Only the plugin names the package: the sources import `#openapi`. */
function withoutPackage(file, factory) {
  const statements = file.statements.map((statement) =>
    ts.isImportDeclaration(statement) && statement.moduleSpecifier.text === '@nestjs/swagger'
      ? factory.createImportDeclaration(
          undefined,
          statement.importClause,
          factory.createStringLiteral('#openapi'),
        )
      : statement,
  );
  return factory.updateSourceFile(file, statements);
}

export function before(options, program) {
  unescapeTypes(program.getTypeChecker());
  const plugin = swaggerBefore(options, program);
  return (context) => {
    const visit = plugin(context);
    return (file) => withoutPackage(visit(file), context.factory);
  };
}
