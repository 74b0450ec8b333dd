import { condition, defineSignal, setHandler } from '@temporalio/workflow'
import { type RetryLater, rowChanged } from '#contract/workflows.ts'

export const changed = defineSignal(rowChanged)

/**
 * Asks, waits as long as the answer says, or until told that the row has changed, and asks again. Whatever woke it, the database
 * decides: a timer too early by clocks that differ costs one more question.
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
