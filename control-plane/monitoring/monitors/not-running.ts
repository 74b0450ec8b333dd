import { Refusal } from '#control-plane/base/refusal.ts'

/** Refuses to run, crawl or audit what is not checked at the moment. `field` names what the caller asked for. */
export function notRunning(
  field: string,
  row: { is_team_paused: boolean; is_paused_by_maintenance: boolean } | undefined,
): Refusal {
  const why = row?.is_team_paused
    ? 'The team is paused.'
    : row?.is_paused_by_maintenance
      ? 'A maintenance window pauses its checks.'
      : 'Is not running: enable it first.'
  return new Refusal(422, 'not_running', 'The check is disabled, or its monitor or team is paused.', {
    errors: { [field]: [why] },
  })
}
