/**
 * What the statement that emits an event stores of its suppression. `alerting/plan` decides from it who is notified.
 *
 * - `begun`: an incident, a warning, a change or flapping begins.
 * - `followed`: something happens to it later: acknowledged, resolved, cleared.
 * - `released`: it was suppressed by flapping, a storm, that of its host or maintenance, and is not noise after all.
 * - `unmuted`: the check was snoozed when it began, and no longer is.
 */
export interface Suppression {
  stage: 'begun' | 'followed' | 'released' | 'unmuted'
  /** What groups it with others, or the maintenance window or the shadow of a migration that it began in. */
  by: 'flapping' | 'storm' | 'host' | 'maintenance' | 'shadow' | null
  /** The team has snoozed the check. */
  is_muted: boolean
  /** The team has been notified of the beginning. */
  is_team_notified: boolean
  /** The reseller has been notified of the beginning, whatever groups it. */
  is_reseller_notified: boolean
  /** Of what follows the beginning: whom steps of an escalation policy called; absent if they called none. */
  called?: {
    /** Channels of the team and contact methods of people. */
    channels: string[]
    /** People who were mailed: no contact method of theirs was known to work, or the policy is at its end. */
    users: string[]
    /** Whose contact methods they are, by the contact method; versions before stored none. */
    people?: Record<string, string>
    /** Who acknowledged the incident. */
    taken_by: string | null
  }
}

type Sql = Partial<Record<Exclude<keyof Suppression, 'called'>, string>> & { stage: string }

/** SQL for a `Suppression`, each field an expression. */
export const suppressionSql = ({
  stage,
  by = 'null::text',
  is_muted = 'false',
  is_team_notified = 'true',
  is_reseller_notified = 'true',
}: Sql): string => `jsonb_build_object('stage', ${stage}, 'by', ${by}, 'is_muted', ${is_muted},
  'is_team_notified', ${is_team_notified}, 'is_reseller_notified', ${is_reseller_notified})`
