import { Refusal } from '#control-plane/base/refusal.ts'

/** Refuses to run, crawl or audit what is not checked at the moment. `field` names what the caller asked for. */
export function notRunning(field: string, isTeamPaused: boolean): Refusal {
  const why = isTeamPaused ? 'The team is paused.' : 'Is not running: enable it first.'
  return new Refusal(422, 'not_running', 'The check is disabled, or its monitor or team is paused.', {
    errors: { [field]: [why] },
  })
}
