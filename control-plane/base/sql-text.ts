import { createQueryId, PostgresQueryCompiler, type RawBuilder, type RawNode } from 'kysely'

/** The text of a statement whose values, if it has any, are literals or written as `$1`. */
export const sqlTextOf = (statement: RawBuilder<unknown>): string =>
  new PostgresQueryCompiler().compileQuery(statement.toOperationNode() as RawNode, createQueryId()).sql
