/**
 * Milliseconds of processor time this thread spent on some work: what others do to the machine meanwhile does not
 * count.
 */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
