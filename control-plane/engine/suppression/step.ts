import { type Expression, type RawBuilder, sql } from 'kysely'
import type { QuarantineKind } from '#control-plane/base/quarantine/kinds.ts'
import { isQuarantinedSql } from '#control-plane/base/quarantine/quarantine.ts'
import { prepared, type Row } from '#control-plane/db/queries.ts'
import { wakeSql } from '#control-plane/outbox/emit.ts'
import { rulesSql } from './rules.ts'

/** One repeated step over rows of many tenants: which rows are due, and what becomes of them, in one statement. */
interface Step {
  kind: QuarantineKind & ('flapping' | 'storm' | 'host_storm' | 'suppressed_incident' | 'suppressed_warning')
  name: string
  /** The column with the key of a row. */
  key: `${string}.${string}`
  /** A part named as the alias in `key`, of rows that are due. `among`: which of them. */
  due(among: Expression<boolean>): RawBuilder<unknown>
  /** Further parts, the last of them `published`. */
  act: RawBuilder<unknown>
}

/** The key of a row that is due, of whichever of these tables the step is about. */
export type DueRow = Row<'flappings' | 'storms' | 'host_storms' | 'incidents', 'id' | 'tenant_id'>

export type SuppressionStep = ReturnType<typeof suppressionStep>

export function suppressionStep({ kind, name, key, due, act }: Step) {
  const column = sql.ref(key)
  const begin = (rules: string, only: readonly string[] | null) => sql`
    with q as (${rulesSql(rules)}), ${due(sql`(
      case when ${only}::uuid[] is null then not ${isQuarantinedSql(kind, key)}
        else ${column} = any(${only}::uuid[]) end)`)}`
  const [alias] = key.split('.')
  return {
    kind,
    name,
    /** Takes the step for all due rows but quarantined ones, or for these alone. */
    take: prepared(
      name,
      (rules: string, only: readonly string[] | null) =>
        sql`${begin(rules, only)}, ${act} select ${wakeSql} from published`,
    ),
    dueRows: (rules: string) =>
      sql<DueRow>`${begin(rules, null)} select ${column} as id, ${sql.ref(`${alias}.tenant_id`)}
        from ${sql.table(alias!)}`,
  }
}
