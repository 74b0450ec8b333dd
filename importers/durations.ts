/** Seconds of a duration as Go writes it, such as `1m30s` or `500ms`; null if it is none. */
export function secondsOf(written: string | null): number | null {
  const text = (written ?? '').trim()
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  if (!/^(\d+(\.\d+)?(h|ms|m|s|us|ns|d|w))+$/.test(text)) return null
  const unit: Record<string, number> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 }
  let seconds = 0
  for (const [, number, , name] of text.matchAll(/(\d+(\.\d+)?)(h|ms|m|s|us|ns|d|w)/g))
    seconds += Number(number) * unit[name ?? 's']!
  return seconds
}
