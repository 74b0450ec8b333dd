import { z } from 'zod'
import type * as shapes from '#control-plane/db/model/shapes.ts'

/** What must hold before a cutover, and when two answers count as different. */
export const MigrationOptions = z
  .object({
    min_shadow_hours: z.int().min(0).max(720).default(24).meta({ description: 'Hours in shadow before a cutover.' }),
    min_results: z.int().min(0).max(1_000).default(10).meta({ description: 'Results of each monitor in shadow.' }),
    max_divergence_percent: z
      .number()
      .min(0)
      .max(100)
      .default(2)
      .meta({ description: 'Share of monitors with an open divergence that nothing explains.' }),
    latency_factor: z
      .number()
      .min(1.5)
      .max(100)
      .default(3)
      .meta({ description: 'How many times slower one side must be for a divergence of kind `latency`.' }),
  })
  .meta({ id: 'MigrationOptions' }) satisfies z.ZodType<shapes.MigrationOptions>
export type MigrationOptions = z.output<typeof MigrationOptions>

export const noCounts: shapes.MigrationCounts = { create: 0, update: 0, skip: 0, created: 0, updated: 0, failed: 0 }

export const migrationStates = [
  'draft',
  'previewed',
  'importing',
  'imported',
  'shadow',
  'ready',
  'cutover',
  'rolled_back',
  'failed',
  'cancelled',
] as const
export type MigrationState = (typeof migrationStates)[number]

/** The greatest file of a source. */
export const fileBytes = 33_554_432
/** Of files that are text: CSV, YAML, JSON. */
export const textFileBytes = 8_388_608
/** How long a credential, or a file that was not read, is kept. */
export const keptMinutes = 60
/** Days after a cutover in which it can be rolled back. */
export const rollbackDays = 7
