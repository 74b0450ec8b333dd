import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { every } from '#control-plane/kernel/every.ts'
import { releaseWarnings } from '#control-plane/monitoring/warnings/release.ts'
import { endFlapping, tellFlapping } from './flapping.ts'
import { releaseHeld } from './release.ts'
import { type NoiseRules, rulesParameter, usualNoise } from './rules.ts'
import { endStorms, tellStorms } from './storms.ts'

const everyMs = 2_000

const isAny = `
  select exists (select 1 from flappings where ended_at is null) or exists (select 1 from storms where resolved_at is null)
    or exists (select 1 from incidents where held_by is not null and resolved_at is null)
    or exists (select 1 from check_warnings where held_by is not null) as any`

/** What is due by the database's clock: each of it by one statement that tells and notes that it did. Any number of processes may do so at once. */
export async function seeToNoise(platform: Pool, rules: NoiseRules = usualNoise): Promise<void> {
  const { rows } = await platform.query<{ any: boolean }>({ name: 'noise-any', text: isAny })
  if (!rows[0]?.any) return
  const values = [rulesParameter(rules)]
  await platform.query({ name: 'noise-tell-flapping', text: tellFlapping })
  await platform.query({ name: 'noise-tell-storms', text: tellStorms, values })
  await platform.query({ name: 'noise-end-flapping', text: endFlapping, values })
  await platform.query({ name: 'noise-end-storms', text: endStorms, values })
  await platform.query({ name: 'noise-release', text: releaseHeld, values })
  await platform.query({ name: 'noise-release-warnings', text: releaseWarnings })
}

/** Sees to it every other second. */
export const watchNoise = ({ platform, log }: { platform: Pool; log: Pick<Logger, 'warn'> }): { stop(): Promise<void> } =>
  every(
    everyMs,
    () => seeToNoise(platform),
    error => log.warn({ err: error }, 'what is held could not be seen to; trying on'),
  )
