import { LocalClock, minutesOf, weekdayOf } from '#control-plane/alerting/on-call-schedules/local-clock.ts'
import type { StepCondition } from '#control-plane/db/model/shapes.ts'
import { weekdays } from '#control-plane/db/model/shapes.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

/** Whether a condition is met by an incident of a severity at an instant. */
export function isMet(condition: StepCondition | null, severity: string, at: number): boolean {
  if (condition === null) return true
  if (condition.severity && !condition.severity.some(each => each === severity)) return false
  if (condition.timezone === null) return true
  const local = new LocalClock(condition.timezone, at, at).read(at)
  const isOn = (day: number) => condition.days === null || condition.days.includes(weekdays[(day + 7) % 7]!)
  const today = weekdayOf(local)
  const minutes = Math.floor((local % dayMs) / minuteMs)
  const [from, to] = [minutesOf(condition.from ?? '00:00'), minutesOf(condition.to ?? '00:00')]
  if (from < to) return isOn(today) && minutes >= from && minutes < to
  return (isOn(today) && minutes >= from) || (isOn(today - 1) && minutes < to)
}
