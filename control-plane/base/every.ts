interface Recurring {
  /** Does it now, unless it is under way. */
  begin(): void
  stop(): Promise<void>
}

/** Does something every so often, one at a time: what takes longer than the time between two is not begun twice. A stop waits for what is under way. */
export function every(
  ms: number,
  work: () => Promise<unknown>,
  onFailure: (error: unknown) => void = () => undefined,
): Recurring {
  let underWay: Promise<unknown> | undefined
  const begin = () => {
    underWay ??= work()
      .catch(onFailure)
      .finally(() => {
        underWay = undefined
      })
  }
  const timer = setInterval(begin, ms)
  timer.unref()
  return {
    begin,
    async stop() {
      clearInterval(timer)
      await underWay
    },
  }
}
