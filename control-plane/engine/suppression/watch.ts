import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { eachIsolated, setIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import type { Retries } from '#control-plane/base/quarantine/retries.ts'
import { queries, rows } from '#control-plane/db/queries.ts'
import { releaseWarnings } from '#control-plane/engine/warnings/release.ts'
import { endFlapping, notifyFlapping } from './flapping.ts'
import { endHostStorms, notifyHostStorms } from './host-storms.ts'
import { releaseEnded, releaseSuppressed } from './release.ts'
import { defaultSuppression, rulesParameter, type SuppressionRules } from './rules.ts'
import type { DueRow, SuppressionStep } from './step.ts'
import { endStorms, notifyStorms } from './storms.ts'

interface Dependencies {
  platform: Pool
  log: Pick<Logger, 'warn' | 'error'>
}

const everyMs = 2_000
const steps = [
  notifyFlapping,
  notifyHostStorms,
  notifyStorms,
  endFlapping,
  endHostStorms,
  endStorms,
  releaseSuppressed,
  releaseEnded,
  releaseWarnings,
]

/** Whether anything is suppressed: flapping, storms, incidents or warnings. */
async function isAnySuppressed(platform: Pool): Promise<boolean> {
  const db = queries(platform)
  const any = sql<number>`1`.as('one')
  const { is_any } = await db
    .selectNoFrom(({ or, exists }) =>
      or([
        exists(db.selectFrom('flappings').where('ended_at', 'is', null).select(any)),
        exists(db.selectFrom('storms').where('resolved_at', 'is', null).select(any)),
        exists(db.selectFrom('host_storms').where('resolved_at', 'is', null).select(any)),
        exists(
          db
            .selectFrom('incidents')
            .where('suppressed_by', 'is not', null)
            .where('resolved_at', 'is', null)
            .select(any),
        ),
        exists(db.selectFrom('check_warnings').where('suppressed_by', 'is not', null).select(any)),
      ])
        .$castTo<boolean>()
        .as('is_any'),
    )
    .executeTakeFirstOrThrow()
  return is_any
}

/**
 * Runs every step that is due by the database's clock: each publishes and marks its rows in one statement, so any
 * number of processes may do so.
 */
export async function applySuppression(
  dependencies: Dependencies,
  rules: SuppressionRules = defaultSuppression,
): Promise<void> {
  const { platform, log } = dependencies
  if (!(await isAnySuppressed(platform))) return
  const parameter = rulesParameter(rules)
  const quarantine = new Quarantine(dependencies)
  const apply = (step: SuppressionStep) =>
    setIsolated<DueRow>({
      act: only => rows(platform, step.take(parameter, only?.map(({ id }) => id) ?? null)),
      due: () => rows(platform, step.dueRows(parameter)),
      onBad: ({ id, tenant_id }, error) => quarantine.add(step.kind, [{ key: id, tenant: tenant_id, error }]),
    })
  await eachIsolated(steps, apply, (step, error) =>
    log.error({ err: error, step: step.name }, 'suppression step failure'),
  )
}

/** Rows in quarantine are retried, each alone. */
export function suppressionRetries(dependencies: Dependencies, rules: SuppressionRules = defaultSuppression): Retries {
  const quarantine = new Quarantine(dependencies)
  const parameter = rulesParameter(rules)
  const retry = (kind: SuppressionStep['kind']) => async (ids: readonly string[]) => {
    const apply = async (id: string) => {
      for (const step of steps) if (step.kind === kind) await rows(dependencies.platform, step.take(parameter, [id]))
      await quarantine.release(kind, [id])
    }
    await eachIsolated(ids, apply, (id, error) => quarantine.add(kind, [{ key: id, tenant: null, error }]))
  }
  const kinds = [...new Set(steps.map(({ kind }) => kind))]
  return Object.fromEntries(kinds.map(kind => [kind, retry(kind)]))
}

/** Applies suppression every two seconds. */
export const watchSuppression = (dependencies: Dependencies): { stop(): Promise<void> } =>
  new Loop({
    everyMs,
    round: () => applySuppression(dependencies),
    log: dependencies.log,
    failure: 'suppression failure',
  }).start({ atOnce: false })
