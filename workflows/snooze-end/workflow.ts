import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow'
import { unsnoozed as name, type Workflows } from '#contract/workflows.ts'
import type { SnoozeEndActivities } from './activities.ts'

export const unsnoozed = defineSignal(name)

const { endSnooze } = proxyActivities<SnoozeEndActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { maximumInterval: '1 minute' },
})

/** Ends a snooze at its time, unless it was ended before; alerts suppressed by it are sent then. */
export const snoozeEnd: Workflows['snoozeEnd'] = async ({ checkId, untilMs }) => {
  let isUnsnoozed = false
  setHandler(unsnoozed, () => {
    isUnsnoozed = true
  })
  const leftMs = Math.max(0, untilMs - Date.now())
  if (leftMs > 0 && (await condition(() => isUnsnoozed, leftMs))) return 'superseded'
  return endSnooze(checkId, untilMs)
}
