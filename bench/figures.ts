/** The value below which the share `q` of sorted numbers lies. */
export const quantile = (numbers: readonly number[], q: number): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? Number.NaN
}
export const median = (numbers: readonly number[]) => quantile(numbers, 0.5)

/** A claim beside what was measured. The program's exit code says whether all of them hold. */
export function claim(what: string, measured: number, mustBe: 'at least' | 'under', limit: number, unit = ''): boolean {
  const holds = mustBe === 'at least' ? measured >= limit : measured < limit
  const ratio = mustBe === 'at least' ? measured / limit : limit / measured
  console.log(
    `${holds ? 'ok  ' : 'MISS'}  ${what}: ${round(measured)}${unit}   (${mustBe} ${limit}${unit}; ratio ${ratio.toFixed(2)})`,
  )
  if (!holds) process.exitCode = 1
  return holds
}

export const round = (number: number) => (Math.abs(number) >= 100 ? Math.round(number) : Math.round(number * 100) / 100)
