import ts from 'typescript';

/** The messages of the type errors in one file of the program. */
export const typeErrorsIn = (program: ts.Program, file: string): string[] =>
  ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
