/** Does something every so often, one at a time: what takes longer than the time between two is not begun twice. A stop waits for what is under way. */
export function every(ms: number, work: () => Promise<unknown>, onFailure: (error: unknown) => void = () => undefined): { stop(): Promise<void> } {
  let underWay: Promise<unknown> | undefined
  const timer = setInterval(() => {
    underWay ??= work()
      .catch(onFailure)
      .finally(() => {
        underWay = undefined
      })
  }, ms)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await underWay
    },
  }
}
