import type { Pool } from 'pg'
import { EpochFence } from '#control-plane/engine/verdicts/fence.ts'

/** A fence of the next epoch, taken. */
export async function takeEpoch(pool: Pool): Promise<EpochFence> {
  const fence = new EpochFence(pool)
  await fence.take()
  return fence
}
