import type { Pool } from 'pg'
import type { QuarantineKind } from '#control-plane/base/quarantine/kinds.ts'
import { isQuarantinedSql } from '#control-plane/base/quarantine/quarantine.ts'
import type { Row } from '#control-plane/db/queries.ts'
import { wakeSql } from '#control-plane/outbox/emit.ts'
import { rulesSql } from './rules.ts'

/** One repeated step over rows of many tenants: which rows are due, and what becomes of them, in one statement. */
export interface SuppressionStep {
  kind: QuarantineKind & ('flapping' | 'storm' | 'host_storm' | 'suppressed_incident' | 'suppressed_warning')
  name: string
  /** SQL for the key of a row. */
  key: string
  /** A part named as the alias in `key`, of rows that are due. `among`: which of them. */
  due(among: string): string
  /** Further parts, the last of them `published`. */
  act: string
}

/** The key of a row that is due, of whichever of these tables the step is about. */
export type DueRow = Row<'flappings' | 'storms' | 'host_storms' | 'incidents', 'id' | 'tenant_id'>

// every step has the same two parameters
const begin = ({ kind, key, due }: SuppressionStep) => {
  const among = `case when $2::uuid[] is null then not ${isQuarantinedSql(kind, key)} else ${key} = any($2::uuid[]) end`
  return `with q as (${rulesSql('$1')}), ${due(`(${among})`)}`
}

/** Takes the step for all due rows but quarantined ones, or for these alone. */
export const takeStep = (
  platform: Pool,
  step: SuppressionStep,
  rules: string,
  only: readonly string[] | null,
): Promise<unknown> =>
  platform.query({
    name: step.name,
    text: `${begin(step)}, ${step.act} select ${wakeSql} from published`,
    values: [rules, only],
  })

export async function dueRows(platform: Pool, step: SuppressionStep, rules: string): Promise<DueRow[]> {
  const [alias] = step.key.split('.')
  const text = `${begin(step)} select ${step.key} as id, ${alias}.tenant_id from ${alias}`
  return (await platform.query<DueRow>(text, [rules, null])).rows
}
