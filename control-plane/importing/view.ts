import { z } from 'zod'
import { MigrationOptions, migrationStates, noCounts } from './options.ts'
import type { MigrationRow } from './row.ts'
import { sourceNamed, sourceNames } from './sources.ts'

const time = z.string().meta({ format: 'date-time' })

export const MigrationView = z
  .object({
    id: z.uuid(),
    provider: z.enum(sourceNames),
    name: z.string(),
    account: z.string().meta({ description: 'Distinguishes two accounts or installations of one provider.' }),
    base_url: z.string().nullable(),
    options: MigrationOptions,
    state: z.enum(migrationStates),
    progress: z
      .object({
        phase: z
          .string()
          .nullable()
          .meta({ description: 'What is done now: `reading` or `importing`; null: nothing.' }),
        done: z.int(),
        total: z.int(),
      })
      .meta({ description: 'Records read, or items imported, of how many.' }),
    counts: z.object({
      create: z.int(),
      update: z.int(),
      skip: z.int(),
      created: z.int(),
      updated: z.int(),
      failed: z.int(),
    }),
    notes: z.array(z.string()).meta({ description: 'What concerns the source as a whole.' }),
    failure: z.string().nullable().meta({ description: 'Why it failed.' }),
    failed_in: z
      .enum(migrationStates)
      .nullable()
      .meta({ description: 'The state from which it goes on when repeated.' }),
    has_credentials: z.boolean(),
    credentials_expire_at: time.nullable().meta({ description: 'When the key, or the file, is deleted here.' }),
    carries: z.array(z.string()).meta({ description: 'What of this provider is carried over.' }),
    leaves_behind: z.array(z.string()).meta({ description: 'What of this provider is not carried over.' }),
    is_compared: z.boolean().meta({ description: 'Whether the provider can be polled while in shadow.' }),
    previewed_at: time.nullable(),
    shadow_at: time.nullable(),
    polled_at: time.nullable(),
    poll_failure: z.string().nullable(),
    cutover_at: time.nullable(),
    rollback_until: time.nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Migration' })

export function viewMigration(row: MigrationRow): z.input<typeof MigrationView> {
  const source = sourceNamed(row.provider)
  return {
    id: row.id,
    provider: sourceNames.find(name => name === row.provider) ?? sourceNames[0],
    name: row.name,
    account: row.account,
    base_url: row.base_url,
    options: MigrationOptions.parse(row.options),
    state: row.state,
    progress: { phase: row.phase, done: row.done, total: row.total },
    counts: { ...noCounts, ...row.counts },
    notes: row.notes,
    failure: row.failure,
    failed_in: migrationStates.find(state => state === row.failed_in) ?? null,
    has_credentials: row.credentials !== null && !row.is_expired,
    credentials_expire_at: row.credentials_expire_at,
    carries: [...(source?.carries ?? [])],
    leaves_behind: [...(source?.leavesBehind ?? [])],
    is_compared: source?.poll !== undefined,
    previewed_at: row.previewed_at,
    shadow_at: row.shadow_at,
    polled_at: row.polled_at,
    poll_failure: row.poll_failure,
    cutover_at: row.cutover_at,
    rollback_until: row.rollback_until,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
