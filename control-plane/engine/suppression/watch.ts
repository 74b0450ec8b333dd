import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { eachIsolated, setIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import type { Retries } from '#control-plane/base/quarantine/retries.ts'
import { releaseWarnings } from '#control-plane/engine/warnings/release.ts'
import { endFlapping, notifyFlapping } from './flapping.ts'
import { releaseSuppressed } from './release.ts'
import { defaultSuppression, rulesParameter, type SuppressionRules } from './rules.ts'
import { type DueRow, dueRows, type SuppressionStep, takeStep } from './step.ts'
import { endStorms, notifyStorms } from './storms.ts'

interface Known {
  platform: Pool
  log: Pick<Logger, 'warn' | 'error'>
}

const everyMs = 2_000
const steps = [notifyFlapping, notifyStorms, endFlapping, endStorms, releaseSuppressed, releaseWarnings]

const isAny = `
  select exists (select 1 from flappings where ended_at is null) or exists (select 1 from storms where resolved_at is null)
    or exists (select 1 from incidents where suppressed_by is not null and resolved_at is null)
    or exists (select 1 from check_warnings where suppressed_by is not null) as any`

/** What is due by the database's clock: each of it by one statement that tells and notes that it did. Any number of processes may do so at once. */
export async function applySuppression(known: Known, rules: SuppressionRules = defaultSuppression): Promise<void> {
  const { platform, log } = known
  const { rows } = await platform.query<{ any: boolean }>({ name: 'noise-any', text: isAny })
  if (!rows[0]?.any) return
  const given = rulesParameter(rules)
  const quarantine = new Quarantine(known)
  const see = (step: SuppressionStep) =>
    setIsolated<DueRow>({
      act: only => takeStep(platform, step, given, only?.map(({ id }) => id) ?? null),
      due: () => dueRows(platform, step, given),
      onBad: ({ id, tenant_id }, error) => quarantine.add(step.kind, [{ key: id, tenant: tenant_id, error }]),
    })
  await eachIsolated(steps, see, (step, error) =>
    log.error({ err: error, step: step.name }, 'suppression step failure'),
  )
}

/** Rows that were put off are seen to once more, each alone. */
export function suppressionRetries(known: Known, rules: SuppressionRules = defaultSuppression): Retries {
  const quarantine = new Quarantine(known)
  const given = rulesParameter(rules)
  const retry = (kind: SuppressionStep['kind']) => async (ids: readonly string[]) => {
    const see = async (id: string) => {
      for (const step of steps) if (step.kind === kind) await takeStep(known.platform, step, given, [id])
      await quarantine.release(kind, [id])
    }
    await eachIsolated(ids, see, (id, error) => quarantine.add(kind, [{ key: id, tenant: null, error }]))
  }
  const kinds = [...new Set(steps.map(({ kind }) => kind))]
  return Object.fromEntries(kinds.map(kind => [kind, retry(kind)]))
}

/** Sees to it every other second. */
export const watchSuppression = (known: Known): { stop(): Promise<void> } =>
  new Loop({
    everyMs,
    round: () => applySuppression(known),
    log: known.log,
    failure: 'suppression failure',
  }).start({ atOnce: false })
