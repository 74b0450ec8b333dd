import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow'
import { unsnoozed as name, type Workflows } from '#contract/workflows.ts'
import type { SnoozeEndActivities } from './activities.ts'

export const unsnoozed = defineSignal(name)

const { endSnooze } = proxyActivities<SnoozeEndActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { maximumInterval: '1 minute' },
})

/** A snooze lasts until its moment, unless someone ends it before; what was held back while it lasted is told then. */
export const snoozeEnd: Workflows['snoozeEnd'] = async ({ checkId, untilMs }) => {
  let isUnsnoozed = false
  setHandler(unsnoozed, () => {
    isUnsnoozed = true
  })
  const leftMs = Math.max(0, untilMs - Date.now())
  if (leftMs > 0 && (await condition(() => isUnsnoozed, leftMs))) return 'superseded'
  return endSnooze(checkId, untilMs)
}
