import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startBeat } from '#control-plane/engine/agents/monitoring-gaps.ts'
import { app } from '#test/support/app.ts'

const { platform, log } = app.services

test('a stop records until when ingest ran: what was judged before it is no gap', async () => {
  const beat = await startBeat(platform, log)
  await pause(300)
  const stoppedAt = new Date()
  await beat.stop()
  const { rows } = await platform.query<{ at: Date }>(`select at from liveness where name = 'ingest'`)
  expect(rows[0]!.at.getTime()).toBeGreaterThanOrEqual(stoppedAt.getTime() - 50)
})
