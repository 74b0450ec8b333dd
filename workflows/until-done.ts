import { condition, defineSignal, setHandler } from '@temporalio/workflow'
import { type RetryLater, rowChanged } from '#contract/workflows.ts'

export const changed = defineSignal(rowChanged)

/**
 * Calls `ask`, waits as long as its answer says or until a signal that the row has changed, and calls it again. The
 * database decides: a timer that fires too early, because clocks differ, only costs one more call.
 */
export async function untilDone<Outcome extends string>(ask: () => Promise<Outcome | RetryLater>): Promise<Outcome> {
  let isChanged = false
  setHandler(changed, () => {
    isChanged = true
  })
  for (;;) {
    isChanged = false
    const answer = await ask()
    if (typeof answer === 'string') return answer
    await condition(() => isChanged, answer.againInMs)
  }
}
