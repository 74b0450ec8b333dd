import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import type { Duty } from './duty.ts'

const time = z.string().meta({ format: 'date-time' })

export const GapView = z.object({ starts_at: time, ends_at: time }).meta({ id: 'OnCallGap' })

export const momentOf = (ms: number): string => stamp(new Date(ms))

/** The intervals in which no person is on call. */
export const gapsOf = (duties: readonly Duty[]): z.input<typeof GapView>[] =>
  duties
    .filter(({ userId }) => userId === null)
    .map(({ from, to }) => ({ starts_at: momentOf(from), ends_at: momentOf(to) }))

export const LayerFields = {
  source: z
    .enum(['rotation', 'override'])
    .nullable()
    .meta({ description: 'What put the person on duty; null where no person is.' }),
  rotation_id: z.uuid().nullable(),
  override_id: z.uuid().nullable(),
}

export const viewLayer = ({ layer }: Duty) => ({
  source: layer?.source ?? null,
  rotation_id: layer?.source === 'rotation' ? layer.id : null,
  override_id: layer?.source === 'override' ? layer.id : null,
})
